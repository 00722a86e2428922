/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{d as t,j as r}from"./part-WMXWHT22.js";var o=t(null);function n(){let e=r(o);if(e===null)throw new Error("a view outside of the page");return e}function f(){return n().feed}export{o as a,n as b,f as c};
