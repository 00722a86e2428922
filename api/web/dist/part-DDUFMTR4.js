/* With Preact, its signals and marked, under the MIT licence: api/web/LICENSES of the source has the notices. */
import{a as f}from"./part-3ZF3ID26.js";import{e as c}from"./part-QM4WH6KA.js";import{o as i,p,r as o}from"./part-WMXWHT22.js";var d=2e3;function k({session:n,here:h,close:r}){let a=i(""),t=i(-1),u=p(()=>n.entries.value.length>0&&n.head.value>=0?f(n.fold.state.entries,a.value,d):[]),l=u.
value.length,s=e=>{l>0&&(t.value=(e+l)%l,c({...h,part:"talk",entry:u.value[t.value].entryId},!0))};return o("search",{class:"find",children:[o("input",{type:"se\
arch","aria-label":"Find in this session",placeholder:"Find in this session",autocomplete:"off",spellcheck:!1,value:a.value,ref:e=>{e!==null&&a.peek()===""&&e.focus()},
onInput:e=>{a.value=e.currentTarget.value,t.value=-1},onKeyDown:e=>{e.key==="Enter"?(e.preventDefault(),s(t.peek()<0?l-1:t.peek()+(e.shiftKey?1:-1)),e.currentTarget.
focus()):e.key==="Escape"&&(e.stopPropagation(),r())}}),o("span",{class:"note",role:"status",children:a.value.trim()===""?"":l===0?"not in what is loaded":`${t.
value<0?"":`${t.value+1} of `}${l}${l===d?" or more":""}`}),o("button",{type:"button",class:"small","aria-label":"The one before",disabled:l===0,onClick:()=>s(t.
peek()<0?l-1:t.peek()-1),children:"↑"}),o("button",{type:"button",class:"small","aria-label":"The next one",disabled:l===0,onClick:()=>s(t.peek()<0?l-1:t.peek()+
1),children:"↓"}),o("button",{type:"button",class:"quiet small","aria-label":"Close the search",onClick:r,children:"✕"})]})}export{k as Find};
