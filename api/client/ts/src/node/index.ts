/** What Node has and browsers do not: caches on a disk, and daemons that are found by their data folder. */
export { files } from './files.ts';
export { atSocket, defaultFolder, find, type FindOptions } from './find.ts';
