import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the agent does when a prompt fits (adapters/scripted/SCRIPT.md). */
export interface Part {
  match?: string;
  steps: object[];
}

/**
 * Puts a program named pi in a folder, which is the scripted agent with a script of its own, and has daemons that are started from here on find it: so that prompts are what people write, with no script in them.
 */
export function actor(dir: string, turns: readonly Part[]): void {
  const play = join(dir, 'play.json');
  writeFileSync(play, JSON.stringify({ name: 'a play of several sessions', turns }));
  const program = join(dir, 'pi');
  // Pi's own arguments are not the scripted agent's: the session's id and its model are.
  writeFileSync(program, `#!/bin/sh
[ "$1" = --version ] && echo 1.5.0 && exit 0
id= model=
while [ $# -gt 0 ]; do
  case $1 in
  --session-id) id=$2; shift ;;
  --model) model=$2; shift ;;
  esac
  shift
done
exec '${process.env['RINGMASTER_PROGRAM'] ?? ''}' __scripted-agent --mode rpc --session-id "$id" \${model:+--model "$model"} --script '${play}'
`);
  chmodSync(program, 0o755);
  process.env['RINGMASTER_PI'] = program;
}
