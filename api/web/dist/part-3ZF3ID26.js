/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
function u(t){switch(t.entryType){case"user_message":case"assistant_message":case"system":return t.data.text;case"thinking":return t.data.text||(t.data.summary??
[]).join(`
`);case"tool_call":return[t.data.toolName,t.data.command??t.data.arguments??"",t.data.diff??"",t.data.output??""].join(`
`);case"tool_result":return t.data.output;case"plan":return[t.data.text??"",...(t.data.steps??[]).map(a=>a.text)].join(`
`);case"compaction":return t.data.summary;default:return""}}function d(t,a,o){let r=a.trim().toLowerCase(),s=[];for(let e=t.length-1;r!==""&&e>=0&&s.length<o;e--){
let i=u(t[e]),n=i.toLowerCase().indexOf(r);if(n>=0){let c=Math.max(0,n-24);s.push({entryId:t[e].entryId,before:(c>0?"…":"")+i.slice(c,n).replace(/\s+/g," "),found:i.
slice(n,n+r.length),after:i.slice(n+r.length,n+r.length+80).replace(/\s+/g," ")})}}return s.reverse()}function f(t,a){let o=t.toLowerCase(),r=0;for(let s of a.toLowerCase().
split(/\s+/).filter(e=>e!=="")){let e=o.indexOf(s);if(e<0)return;r+=e===0?3:/\W/.test(o.charAt(e-1))?2:1}return r}export{d as a,f as b};
