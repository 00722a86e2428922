import { Fragment, type JSX } from 'preact';
import { plain } from '../text/words.ts';

/** Facts in one line. Each is isolated: a folder whose name is written from right to left turns nothing around it. */
export function Facts({ list }: { list: readonly string[] }): JSX.Element {
  return <>{list.map((fact, i) => <Fragment key={i}>{i === 0 ? '' : ' · '}<bdi>{plain(fact)}</bdi></Fragment>)}</>;
}
