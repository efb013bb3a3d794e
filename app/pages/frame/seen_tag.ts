import type { Refused } from './page.js'

/**
 * Returns the tag of a form. One that is shown again with what was typed stays about what was seen
 * then; only after somebody else's change, which it tells, it is about what is there now.
 */
export const seenTag = <Tag extends string | null>(
  tag: Tag,
  action: string,
  refused: Refused | null
): Tag | string =>
  refused?.action === action && refused.problem.code !== 'precondition_failed'
    ? (refused.tag ?? tag)
    : tag
