/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{c as v}from"./part-S5T474SM.js";import{a as m,c as f,g as b,k as s}from"./part-LMNZKLVE.js";import{f as c,h as g,o as u,r as e}from"./part-WMXWHT22.js";var k=2e3,w={up:"up",silent:"silent",draining:"gives its sessions away",left:"has left",dead:"taken for gone",unknown:"not heard of yet"};function C({close:o}){
let n=v(),p=g(null),i=u(void 0),d=u("");c(()=>p.current?.showModal(),[]),c(()=>{let t=new AbortController,l,h=async()=>{try{i.value=document.hidden?i.peek():await n.
client.nodes({signal:t.signal}),d.value=""}catch(y){d.value=m(y)}t.signal.aborted||(l=setTimeout(()=>{h()},k))};return h(),()=>{t.abort(),clearTimeout(l)}},[n]);
let a=new Map;for(let t of n.sessions.value.values())t.node!==void 0&&t.unreachable&&a.set(t.node,(a.get(t.node)??0)+1);let r=i.value;return e("dialog",{ref:p,class:"\
nodes",id:"nodes","aria-labelledby":"nodes-title",onClose:o,children:[e("h2",{id:"nodes-title",children:"Nodes"}),d.value===""?null:e("p",{class:"error",role:"a\
lert",children:s(d.value)}),r===void 0?d.value===""?e("p",{class:"note",role:"status",children:"Asking…"}):null:r.length===0?e("p",{class:"note",children:"Thi\
s daemon has no Core, and knows of no other."}):e("div",{class:"table",tabIndex:0,role:"region","aria-labelledby":"nodes-title",children:e("table",{children:[e(
"thead",{children:e("tr",{children:[e("th",{scope:"col",children:"Node"}),e("th",{scope:"col",children:"State"}),e("th",{scope:"col",children:"Lease left"}),e("\
th",{scope:"col",children:"Sessions"}),e("th",{scope:"col",children:"Workspaces"}),e("th",{scope:"col",children:"Version"})]})}),e("tbody",{children:r.map(t=>e(
"tr",{class:`node-${t.state}`,children:[e("th",{scope:"row",title:s(t.id),children:[e("code",{children:s(t.id.slice(0,8))}),t.here?" (this one)":""]}),e("td",{class:"\
node-state",children:M(t)}),e("td",{children:t.leaseMs===void 0?"":f(t.leaseMs)}),e("td",{children:[t.sessions,a.has(t.id)?e("span",{class:"node-out",children:[
", ",a.get(t.id)," unreachable"]}):null]}),e("td",{children:(t.workspaces??[]).map(l=>e("code",{title:s(l),children:[s(l.split("=")[0]??l)," "]},l))}),e("td",{children:s(
t.build??"")})]},t.id))})]})}),e("form",{method:"dialog",children:e("button",{class:"primary",children:"Close"})})]})}function M(o){let n=w[o.state]??s(o.state);
return o.silentMs!==void 0?`${n} for ${f(o.silentMs)}`:o.leaving!==void 0&&o.leaving>0?`${n}, ${b(o.leaving,"session")} to go`:n}export{C as Nodes};
