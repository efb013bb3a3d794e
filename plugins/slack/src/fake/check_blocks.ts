/*
 * Slack's rules for the blocks that the plugin writes, beyond their types.
 */

interface Text {
  text?: string
}
interface Element {
  type?: string
  action_id?: string
  text?: Text | string
  value?: string
  url?: string
  elements?: Element[]
}
type Block = Element

/** Returns the errors of blocks, as sentences. */
export function checkBlocks(blocks: readonly unknown[]): string[] {
  const problems = blocks.length > 50 ? ['no more than 50 items allowed'] : []
  return [...problems, ...(blocks as Block[]).flatMap(checkBlock)]
}

function checkBlock({ type, text, elements = [] }: Block): string[] {
  switch (type) {
    case 'header':
      return checkLength((text as Text | undefined)?.text, 150, 'a header')
    case 'actions':
      return checkActions(elements)
    case 'rich_text':
      return elements.flatMap(({ elements: parts = [] }) => parts.flatMap(checkPart))
    default:
      return [`unsupported type: ${type}`]
  }
}

function checkPart({ type, text, url }: Element): string[] {
  if (type === 'text') return checkLength(text as string | undefined, 4000, 'a text')
  if (type === 'link') return checkLength(url, 3000, 'an address')
  return type === 'user' ? [] : [`unsupported element: ${type}`]
}

function checkActions(elements: readonly Element[]): string[] {
  const ids = elements.map(({ action_id: id }) => id)
  return [
    ...(elements.length === 0 || elements.length > 25 ? ['1 to 25 elements are allowed'] : []),
    ...(new Set(ids).size < ids.length ? ['`action_id` exists more than once'] : []),
    ...elements.flatMap(({ action_id: id, text, value, url }) => [
      ...checkLength(id, 255, 'an action_id'),
      ...checkLength((text as Text | undefined)?.text, 75, 'a label'),
      ...(value === undefined ? [] : checkLength(value, 2000, 'a value')),
      ...(url === undefined ? [] : checkLength(url, 3000, 'an address')),
    ]),
  ]
}

function checkLength(text: string | undefined, longest: number, what: string): string[] {
  if (text === undefined || text === '') return [`${what} must be more than 0 characters`]
  return text.length > longest ? [`${what} must be less than ${longest + 1} characters`] : []
}
