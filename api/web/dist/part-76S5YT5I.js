/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{c as J}from"./part-S5T474SM.js";import{a as C,c as q,e as E,g as F,k as b}from"./part-LMNZKLVE.js";import{f as $,i as k,o as T,r as t}from"./part-WMXWHT22.js";var v=class{turns=[];hasCost=!1;add(s){if(s.type!=="token_usage")return;let o=s.turnId??"",a=this.turns.at(-1);a?.turnId!==o&&(a={turnId:o,requests:0,fresh:0,cached:0,
output:0,cost:0,isEstimated:!1,models:[]},this.turns.push(a)),a.requests++,a.cached+=s.usage.cachedInputTokens,a.fresh+=Math.max(0,s.usage.inputTokens-s.usage.cachedInputTokens),
a.output+=s.usage.outputTokens,s.cost!==void 0&&(this.hasCost=!0,a.cost+=s.cost.total,a.isEstimated||=s.cost.estimated===!0),s.model!==void 0&&!a.models.includes(
s.model)&&a.models.push(s.model)}};function I(e,s){let o=Math.max(1,Math.ceil(e.length/s)),a=[];for(let d=0;d<e.length;d+=o){let l=e.slice(d,d+o),r=u=>l.reduce(
(c,m)=>c+u(m),0);a.push({from:d,to:d+l.length-1,fresh:r(u=>u.fresh),cached:r(u=>u.cached),output:r(u=>u.output),cost:r(u=>u.cost)})}return a}function S(e){if(e<=
0)return 1;let s=10**Math.floor(Math.log10(e));return[1,2,5,10].map(o=>o*s).find(o=>o>=e*.999999)}var X=matchMedia("(max-width: 40rem)").matches,y=X?360:720,x=180,f=64,_=20,O=X?40:80;function R({top:e,words:s,label:o,children:a,from:d,to:l}){return t("svg",{
class:"chart",viewBox:`0 0 ${y} ${x}`,role:"img","aria-label":o,children:[[0,.5,1].map(r=>t("g",{children:[t("line",{class:"chart-line",x1:f,x2:y,y1:g(r*e,e),y2:g(
r*e,e)}),t("text",{class:"chart-text",x:f-8,y:g(r*e,e)+4,"text-anchor":"end",children:s(r*e)})]},r)),a,t("text",{class:"chart-text",x:f,y:x-4,children:d}),d===l?
null:t("text",{class:"chart-text",x:y,y:x-4,"text-anchor":"end",children:l})]})}function g(e,s){return 12+(1-e/s)*(x-_-12)}function L({turns:e}){let s=I(e,O),o=S(
Math.max(...s.map(d=>d.fresh+d.cached+d.output))),a=(y-f)/Math.max(s.length,8);return t(R,{top:o,words:E,label:`Tokens by turn, ${e.length} in all: the table be\
low has the figures`,...N(e),children:s.map((d,l)=>{let r=0;return["cached","fresh","output"].map(u=>{let c=r;return r+=d[u],t("rect",{class:`bar-${u}`,x:f+l*a+
1,width:Math.max(1,Math.min(a-2,48)),y:g(r,o),height:Math.max(0,g(c,o)-g(r,o))},`${l}/${u}`)})})})}function B({turns:e,words:s}){let o=I(e,O),a=0,d=o.map(c=>a+=
c.cost),l=S(a),r=(y-f)/Math.max(o.length,8),u=d.map((c,m)=>`${f+m*r+Math.min(r-2,48)/2+1},${g(c,l)}`);return t(R,{top:l,words:s,label:`Cost up to each turn, ${s(
a)} in all: the table below has the figures`,...N(e),children:[t("polyline",{class:"cost-line",points:u.join(" ")}),u.map((c,m)=>t("circle",{class:"cost-point",
cx:c.split(",")[0],cy:c.split(",")[1],r:3},m))]})}function N(e){let s=o=>o===void 0||o.turnId===""?"between turns":o.turnId;return{from:s(e[0]),to:s(e.at(-1))}}var A=200;function Z({session:e}){let s=J(),o=k(()=>({spending:new v,seq:0}),[e]),a=T(0),d=T(""),l=e.head.value>=0?e.fold.state.turns.filter(n=>n.endSeq!==void 0).
length:0;$(()=>{let n=new AbortController;return(async()=>{try{let{epoch:p}=e.fold.cursor;for await(let{event:i}of s.client.session(e.id).log({since:{epoch:p,seq:o.
seq},view:"settled",signal:n.signal}))o.spending.add(i),o.seq=i.seq;a.value++,d.value=""}catch(p){n.signal.aborted||(d.value=C(p))}})(),()=>n.abort()},[e,l]);let{
turns:r,hasCost:u}=o.spending;if(a.value===0)return t("div",{class:"part",children:d.value===""?t("p",{class:"empty",role:"status",children:"Reading what was us\
ed…"}):t("p",{class:"error",role:"alert",children:b(d.value)})});if(r.length===0)return t("div",{class:"part",children:t("p",{class:"empty",children:"Nothing \
was used yet, as far as the agent tells it."})});let c=n=>r.reduce((p,i)=>p+n(i),0),m=r.some(n=>n.isEstimated),w=r.slice(-A).reverse(),U=new Map(e.fold.state.turns.
map(n=>[n.turnId,n]));return t("div",{class:"part usage",tabIndex:0,role:"region","aria-label":"Usage",children:[d.value===""?null:t("p",{class:"error",role:"al\
ert",children:b(d.value)}),t("dl",{class:"sums",children:[t("div",{children:[t("dt",{children:"Input"}),t("dd",{children:h(c(n=>n.fresh+n.cached))})]}),t("div",
{children:[t("dt",{children:"Of that, cached"}),t("dd",{children:h(c(n=>n.cached))})]}),t("div",{children:[t("dt",{children:"Output"}),t("dd",{children:h(c(n=>n.
output))})]}),t("div",{children:[t("dt",{children:"Requests"}),t("dd",{children:h(c(n=>n.requests))})]}),u?t("div",{children:[t("dt",{children:["Cost",m?", in p\
art estimated":""]}),t("dd",{children:M(c(n=>n.cost))})]}):null]}),t("section",{children:[t("h3",{children:"Tokens by turn"}),t("p",{class:"legend",children:[t(
"span",{class:"key-cached",children:"cached input"})," ",t("span",{class:"key-fresh",children:"other input"})," ",t("span",{class:"key-output",children:"output"})]}),
t(L,{turns:r})]}),u&&r.length===1?null:u?t("section",{children:[t("h3",{children:"Cost, added up"}),t(B,{turns:r,words:M})]}):t("p",{class:"note",children:"The \
agent tells no cost, and no price is known for its model."}),t("section",{children:[t("h3",{id:"usage-table",children:"By turn"}),r.length>w.length?t("p",{class:"\
note",children:["The newest ",F(w.length,"turn")," of ",r.length,"."]}):null,t("div",{class:"table",tabIndex:0,role:"region","aria-labelledby":"usage-table",children:t(
"table",{children:[t("thead",{children:t("tr",{children:[t("th",{scope:"col",children:"Turn"}),t("th",{scope:"col",children:"Requests"}),t("th",{scope:"col",children:"\
Input"}),t("th",{scope:"col",children:"Cached"}),t("th",{scope:"col",children:"Output"}),u?t("th",{scope:"col",children:"Cost"}):null,t("th",{scope:"col",children:"\
Time"}),t("th",{scope:"col",children:"Model"})]})}),t("tbody",{children:w.map((n,p)=>{let i=U.get(n.turnId);return t("tr",{children:[t("th",{scope:"row",children:n.
turnId===""?"between turns":b(n.turnId)}),t("td",{children:h(n.requests)}),t("td",{children:h(n.fresh+n.cached)}),t("td",{children:h(n.cached)}),t("td",{children:h(
n.output)}),u?t("td",{children:M(n.cost)}):null,t("td",{children:i?.endTs===void 0?"":q(i.endTs-i.startTs)}),t("td",{children:b(n.models.join(", "))})]},`${n.turnId}\
/${p}`)})})]})})]})]})}function h(e){return e.toLocaleString("en")}function M(e){return e===0?"$0":e<.01?`$${e.toPrecision(2)}`:`$${e.toFixed(2)}`}export{Z as Usage};
