import type { Refused, Typed } from './page.js'

/**
 * Returns the tag of a form. One that is shown again with what was typed stays about what was seen
 * then; only after somebody else's change, which it tells, it is about what is there now.
 * @param action the address of the form; several for one that is sent to one of them
 */
export function seenTag<Tag extends string | null>(
  tag: Tag,
  action: string | readonly string[],
  typed: Typed | Refused | null
): Tag | string {
  if (!typed || ![action].flat().includes(typed.action)) return tag
  const isChanged = 'problem' in typed && typed.problem.code === 'precondition_failed'
  return isChanged ? tag : (typed.tag ?? tag)
}
