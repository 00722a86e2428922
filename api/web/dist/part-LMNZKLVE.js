/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
function a(t){if(!(t instanceof Error))return String(t);if(t.name==="Unreachable")return"The daemon does not answer.";let n="hint"in t&&typeof t.hint=="string"?
t.hint:"";return[o(t.message),n===""?"":o(n)].filter(e=>e!=="").join(" ")}function o(t){let n=t.charAt(0).toUpperCase()+t.slice(1);return/[.!?]$/.test(n)?n:`${n}\
.`}function g(t){let n=Math.max(0,Math.floor(t/1e3));if(n<60)return`${n}s`;let e=Math.floor(n/60);if(e<60)return`${e}m`;let r=Math.floor(e/60);return r<48?`${r}\
h`:`${Math.floor(r/24)}d`}function i(t){if(t<1e3)return`${Math.max(0,Math.round(t))} ms`;let n=t/1e3;return n<60?`${n<10?n.toFixed(1):Math.round(n)} s`:n<3600?`${Math.
floor(n/60)} min ${Math.floor(n%60)} s`:`${Math.floor(n/3600)} h ${Math.floor(n%3600/60)} min`}function f(t){for(let[n,e]of[[864e5,"day"],[36e5,"hour"],[6e4,"mi\
nute"],[1e3,"second"]])if(t>=n&&t%n===0)return s(t/n,e);return i(t)}function c(t){return t<1e3?`${t}`:t<1e6?`${(t/1e3).toFixed(t<1e4?1:0)}k`:`${(t/1e6).toFixed(
1)}M`}function d(t){return t>=1e4?`$${(t/1e6).toFixed(2)}`:t>0?"< 1 ¢":""}function s(t,n,e=`${n}s`){return`${t} ${t===1?n:e}`}function p(t){return t.replace(/\/+$/,
"").split("/").at(-1)||t}var u={starting:"starting",idle:"idle",queued:"about to begin",responding:"writing",retrying:"retrying",compacting:"compacting",running_tool:"\
running a tool",awaiting_approval:"asks for approval",awaiting_input:"asks a question",interrupting:"stopping",completed:"completed",terminated:"ended",failed:"\
failed"},l={user:"by a person",parent:"by the session above",daemon:"because the daemon ended",agent:"by the agent",lost:"because the agent was lost",budget:"be\
cause its budget is used up"};function h(t,n){return t==="running_tool"&&n?`running ${n}`:u[t]??t}function $(t){return t.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu,
n=>n==="\r"||n==="\f"?"":`⟨${n.codePointAt(0).toString(16).toUpperCase().padStart(4,"0")}⟩`)}export{a,g as b,i as c,f as d,c as e,d as f,s as g,p as h,l as i,h as j,$ as k};
