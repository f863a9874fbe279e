// Runs the program in a page on a file beside it, and leaves what it gives in the page's title.
import { smoke } from "./program.mjs";

smoke(new URL("/weather.h5", location.href)).then(
  (result) => {
    document.title = JSON.stringify(result);
  },
  (error) => {
    document.title = String(error.stack);
  },
);
