import type { JSX } from 'preact';
import type { ToolCallData } from 'ringmaster-protocol';
import { editLines, type DiffLine } from '../text/diff.ts';
import { lasted, plain } from '../text/words.ts';
import { Diff } from './diff.tsx';
import { Output } from './output.tsx';

const signs: Record<string, [string, string]> = {
  pending: ['·', 'is being written'], awaiting_approval: ['!', 'waits for an approval'], running: ['◐', 'runs'], completed: ['✓', 'done'], error: ['✕', 'failed'],
};

/** A call of a tool: what it is about in one line, its diff, and the end of its output. */
export function ToolCall({ data }: { data: ToolCallData }): JSX.Element {
  const [sign, words] = signs[data.status] ?? ['·', data.status];
  const subject = data.command ?? subjectOf(data.arguments);
  const isShort = subject !== undefined && !subject.includes('\n') && subject.length <= 120;
  const edits = data.diff === undefined && data.arguments !== undefined ? editLines(data.arguments) : undefined;
  const facts = [data.exitCode !== undefined && data.exitCode !== 0 ? `exit ${data.exitCode}` : '', data.durationMs === undefined ? '' : lasted(data.durationMs)].filter((f) => f !== '');
  return (
    <>
      <p class={`call call-${signs[data.status] === undefined ? 'pending' : data.status}`}>
        <span class="call-sign" role="img" aria-label={words}>{sign}</span>
        <span class="call-name">{plain(data.toolName)}</span>
        {isShort ? <code class="call-subject">{plain(subject)}</code> : null}
        {facts.length === 0 ? null : <span class="call-facts">{facts.join(' · ')}</span>}
      </p>
      {data.status === 'awaiting_approval' ? null : <Body data={data} long={isShort ? undefined : subject} edits={edits} />}
    </>
  );
}

/** What a call is about at length. While it is asked about, the request shows that. */
function Body({ data, long, edits }: { data: ToolCallData; long: string | undefined; edits: DiffLine[] | undefined }): JSX.Element {
  return (
    <>
      {long === undefined ? null : <pre class="command" tabIndex={0} role="group" aria-label="Command">{plain(long)}</pre>}
      {data.diff !== undefined ? <Diff text={data.diff} fold={40} /> : edits !== undefined ? <Diff lines={edits} fold={40} label="What is to be replaced" /> : null}
      {data.output === undefined ? null : <Output text={data.output} />}
      {data.command === undefined && subjectOf(data.arguments) === undefined && edits === undefined && data.arguments ? <details class="arguments"><summary>Arguments</summary><pre class="wrap">{plain(data.arguments)}</pre></details> : null}
    </>
  );
}

/** The argument that says most, where there is one that is short. */
function subjectOf(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 100_000) {
    return undefined;
  }
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    const told = ['path', 'file_path', 'pattern', 'query', 'url', 'command'].map((name) => value[name]).find((v) => typeof v === 'string');
    return typeof told === 'string' ? told : undefined;
  } catch {
    return undefined;
  }
}
