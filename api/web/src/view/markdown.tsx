import type { Token, Tokens } from 'marked';
import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { stripped } from '../text/ansi.ts';
import { blocksOf } from '../text/blocks.ts';
import { unescaped } from '../text/entities.ts';
import { target } from '../text/links.ts';
import { plain } from '../text/words.ts';

/** Beyond this many characters a text is shown as it is: nobody reads so long a message for its headings. */
const longest = 200_000;

interface Drawn {
  /** Characters of finished blocks, and their nodes. */
  upTo: number;
  text: string;
  nodes: ComponentChildren[];
}

/** Markdown of an agent as nodes. Text never becomes markup: HTML in it is shown as it was written. Of a text that grows only what follows its last finished block is read again. */
export function Markdown({ text: given }: { text: string }): JSX.Element {
  const text = stripped(given);
  const kept = useRef<Drawn>({ upTo: 0, text: '', nodes: [] });
  if (text.length > longest) {
    return <pre class="wrap">{plain(text)}</pre>;
  }
  if (!text.startsWith(kept.current.text)) {
    kept.current = { upTo: 0, text: '', nodes: [] }; // another text
  }
  const drawn = kept.current;
  const tokens = blocksOf(text.slice(drawn.upTo));
  let last = tokens.length - 1;
  while (last > 0 && tokens[last]!.type === 'space') {
    last--;
  }
  for (const token of tokens.slice(0, Math.max(0, last))) {
    drawn.nodes.push(<Block token={token} key={drawn.upTo} />);
    drawn.upTo += token.raw.length;
  }
  drawn.text = text.slice(0, drawn.upTo);
  return (
    <div class="prose" dir="auto">
      {drawn.nodes}
      {tokens.slice(Math.max(0, last)).map((token, i) => <Block token={token} key={`open${i}`} />)}
    </div>
  );
}

function Blocks({ tokens }: { tokens: Token[] | undefined }): JSX.Element {
  return <>{tokens?.map((token, i) => <Block token={token} key={i} />)}</>;
}

function Block({ token }: { token: Token }): JSX.Element | null {
  const t = token as Tokens.Generic;
  switch (t.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      // The outline is the page's: an agent's heading is below its session, whatever the agent says.
      return <p class={`heading h${Math.min(3, t['depth'] as number)}`} role="heading" aria-level={3}><Inline tokens={t.tokens} /></p>;
    case 'paragraph':
      return <p><Inline tokens={t.tokens} /></p>;
    case 'code':
      return <pre tabIndex={0} role="group" aria-label="Code"><code>{plain(t['text'] as string)}</code></pre>;
    case 'blockquote':
      return <blockquote><Blocks tokens={t.tokens} /></blockquote>;
    case 'list':
      return <List list={token as Tokens.List} />;
    case 'table':
      return <Table table={token as Tokens.Table} />;
    case 'hr':
      return <hr />;
    case 'text':
      return <>{t.tokens === undefined ? words(t['text'] as string) : <Inline tokens={t.tokens} />}</>;
    default:
      return <p class="raw">{plain(t.raw.trimEnd())}</p>;
  }
}

function List({ list }: { list: Tokens.List }): JSX.Element {
  const items = list.items.map((item, i) => (
    <li key={i} class={item.task ? 'task' : ''}>
      {item.task ? <span class="box" role="img" aria-label={item.checked ? 'done' : 'open'}>{item.checked ? '☑' : '☐'}</span> : null}
      <Blocks tokens={(item.tokens ?? []).filter((t) => t.type !== 'checkbox')} />
    </li>
  ));
  return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table }: { table: Tokens.Table }): JSX.Element {
  const side = (i: number): string => (table.align[i] === 'right' ? 'right' : table.align[i] === 'center' ? 'center' : '');
  return (
    <div class="table" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead><tr>{table.header.map((cell, i) => <th key={i} scope="col" class={side(i)}><Inline tokens={cell.tokens} /></th>)}</tr></thead>
        <tbody>{table.rows.map((row, n) => <tr key={n}>{row.map((cell, i) => <td key={i} class={side(i)}><Inline tokens={cell.tokens} /></td>)}</tr>)}</tbody>
      </table>
    </div>
  );
}

function Inline({ tokens }: { tokens: Token[] | undefined }): JSX.Element {
  return <>{tokens?.map((token, i) => <Span token={token} key={i} />)}</>;
}

function Span({ token }: { token: Token }): JSX.Element {
  const t = token as Tokens.Generic;
  switch (t.type) {
    case 'strong':
      return <strong><Inline tokens={t.tokens} /></strong>;
    case 'em':
      return <em><Inline tokens={t.tokens} /></em>;
    case 'del':
      return <del><Inline tokens={t.tokens} /></del>;
    case 'codespan':
      return <code>{plain(t['text'] as string)}</code>;
    case 'br':
      return <br />;
    case 'link':
    case 'image':
      return <Link href={t['href'] as string} words={t['text'] as string} isImage={t.type === 'image'}>{t.type === 'link' ? <Inline tokens={t.tokens} /> : words(t['text'] as string)}</Link>;
    case 'escape':
      return <>{plain(t['text'] as string)}</>;
    case 'text':
      return <>{t.tokens === undefined ? words(t['text'] as string) : <Inline tokens={t.tokens} />}</>;
    default:
      return <>{plain(t.raw)}</>;
  }
}

/** A link shows where it leads, unless its words do. Images are links: they are never loaded. */
function Link({ href, words: said, isImage, children }: { href: string; words: string; isImage: boolean; children: ComponentChildren }): JSX.Element {
  const url = target(href);
  if (url === undefined) {
    return <span class="no-link">{isImage ? 'image: ' : ''}{children} <span class="leads">({plain(href)})</span></span>;
  }
  const isTold = said === href || said === url.href;
  return (
    <>
      <a href={url.href} target="_blank" rel="noopener noreferrer">{isImage ? 'image: ' : ''}{children}</a>
      {isTold ? null : <span class="leads"> ({plain(url.host)})</span>}
    </>
  );
}

function words(text: string): string {
  return plain(unescaped(text));
}
