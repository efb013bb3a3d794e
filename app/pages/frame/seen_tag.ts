import type { Refused, Typed } from './page.js'

/**
 * Returns the entity tag for a form. A form that is shown again with its input keeps the tag it was
 * sent with, until it has reported somebody else's change.
 * @param action the address of the form; several if its buttons send it to different addresses
 */
export function seenTag<Tag extends string | null>(
  tag: Tag,
  action: string | readonly string[],
  typed: Typed | Refused | null
): Tag | string {
  if (!typed || ![action].flat().includes(typed.action)) return tag
  const isConflict = 'problem' in typed && typed.problem.code === 'precondition_failed'
  return isConflict ? tag : (typed.tag ?? tag)
}
