import type { Refused, Typed } from './page.js'

/**
 * Returns the tag of a form. A form that is shown again with what was typed keeps the tag that was
 * seen then; only after it has reported somebody else's change it gets the current one.
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
