import type { Refused, Typed } from './page.js'

/**
 * Returns the entity tag for a form. A form that is shown again with what was typed keeps the tag
 * that it was sent with; it gets the current one only after it has reported somebody else's change.
 * @param action the address of the form; several if its buttons send it to different addresses
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
