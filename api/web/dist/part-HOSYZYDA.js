/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{k as u}from"./part-LMNZKLVE.js";var a=["black","red","green","yellow","blue","magenta","cyan","white"],f=/\u001b\[([0-9;:?]*)[ -/]*(?:([@-~])|$)|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[PX^_][^\u001b]*(?:\u001b\\|$)|\u001b[@-_0-?]?/g;
function g(n){let s=[],i=new Set,e=0,c=t=>{let o=u(t.replace(/[^\n]*\r(?!\n|$)/g,""));if(o!==""){let l=[...i].join(" "),r=s.at(-1);r!==void 0&&r.classes===l?r.text+=
o:s.push({text:o,classes:l})}};for(let t of n.matchAll(f))c(n.slice(e,t.index)),e=t.index+t[0].length,t[2]==="m"&&d(i,(t[1]??"").split(/[;:]/).map(Number));return c(
n.slice(e)),s}function p(n){return n.includes("\x1B")?n.replace(f,""):n}function d(n,s){for(let i=0;i<s.length;i++){let e=s[i];if(e===0)n.clear();else if(e===1)
n.add("ansi-bold");else if(e===2)n.add("ansi-dim");else if(e===22)n.delete("ansi-bold"),n.delete("ansi-dim");else if(e===38||e===48)i+=s[i+1]===5?2:4;else if(e>=
30&&e<=37||e>=90&&e<=97||e===39){for(let c of a)n.delete(`ansi-${c}`);e!==39&&n.add(`ansi-${a[e%10]}`)}}}export{g as a,p as b};
