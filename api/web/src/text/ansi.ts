import { plain } from './words.ts';

/** A piece of a tool's output, and the classes that it is drawn with. */
export interface Piece {
  text: string;
  classes: string;
}

const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

// Sequences of terminals: CSI, OSC with its end, other escapes.
const sequence = /\u001b\[([0-9;:?]*)[ -/]*(?:([@-~])|$)|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[PX^_][^\u001b]*(?:\u001b\\|$)|\u001b[@-_0-?]?/g;

/** Cuts what a terminal would get into pieces: colours and weights become classes, every other sequence is dropped. A carriage return begins the line anew. */
export function pieces(text: string): Piece[] {
  const list: Piece[] = [];
  const style = new Set<string>();
  let from = 0;
  const put = (part: string): void => {
    const shown = plain(part.replace(/[^\n]*\r(?!\n|$)/g, ''));
    if (shown !== '') {
      const classes = [...style].join(' ');
      const last = list.at(-1);
      if (last !== undefined && last.classes === classes) {
        last.text += shown;
      } else {
        list.push({ text: shown, classes });
      }
    }
  };
  for (const m of text.matchAll(sequence)) {
    put(text.slice(from, m.index));
    from = m.index + m[0].length;
    if (m[2] === 'm') {
      turn(style, (m[1] ?? '').split(/[;:]/).map(Number));
    }
  }
  put(text.slice(from));
  return list;
}

/** Text without sequences of terminals. */
export function stripped(text: string): string {
  return text.includes('\u001b') ? text.replace(sequence, '') : text;
}

function turn(style: Set<string>, codes: number[]): void {
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code === 0) {
      style.clear();
    } else if (code === 1) {
      style.add('ansi-bold');
    } else if (code === 2) {
      style.add('ansi-dim');
    } else if (code === 22) {
      style.delete('ansi-bold');
      style.delete('ansi-dim');
    } else if (code === 38 || code === 48) {
      i += codes[i + 1] === 5 ? 2 : 4; // colours beyond the sixteen are left out
    } else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97) || code === 39) {
      for (const c of colours) {
        style.delete(`ansi-${c}`);
      }
      if (code !== 39) {
        style.add(`ansi-${colours[code % 10]}`);
      }
    }
  }
}
