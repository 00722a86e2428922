// Package login logs pages in by a link (spec §7.15): a token asks for a code, the code stands in the fragment of an address, and the page that
// is opened there trades it for a token of its own. Codes are in memory alone, and of each only a hash.
package login
