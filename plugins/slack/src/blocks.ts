import type {
  ActionsBlock,
  Button,
  HeaderBlock,
  KnownBlock,
  RichTextBlock,
  RichTextSection,
} from '@slack/types'
import type { ChatBlock, ChatButton, ChatMessage } from '@tarmac/plugin-kit'

/*
 * A message in Slack's blocks. Texts are written as plain text and rich text, which have no markup,
 * so that texts of others cannot mention or link anybody.
 */

/** Slack's length limits, in characters. */
const MAX_LENGTHS = { heading: 150, label: 75, question: 300, text: 3900 } as const
/** Most blocks of a message, and buttons of a block. */
const MAX_BUTTONS = 25

type Elements = RichTextSection['elements']

/** Returns the text and blocks of a message, for `chat.postMessage` and `chat.update`. */
export function contentOf({ text, blocks, buttons, mentions = [] }: ChatMessage) {
  const called = mentions.map((id) => `<@${id}>`).join(' ')
  const whole = [escaped(clipped(text, MAX_LENGTHS.text)), called].filter((each) => each !== '')
  return {
    text: whole.join('\n'),
    blocks: blocks || buttons ? blocksOf(blocks ?? textAlone(text), buttons ?? [], mentions) : [],
  }
}

const textAlone = (value: string): ChatBlock[] => [{ kind: 'text', value }]

function blocksOf(
  blocks: readonly ChatBlock[],
  buttons: readonly ChatButton[],
  mentions: readonly string[]
): KnownBlock[] {
  return [
    ...blocks.map(blockOf),
    ...(mentions.length > 0 ? [rich(mentions.flatMap(mentioned))] : []),
    ...(buttons.length > 0 ? [actionsOf(buttons)] : []),
  ]
}

function blockOf(block: ChatBlock): KnownBlock {
  switch (block.kind) {
    case 'heading':
      return headingOf(block.value)
    case 'text':
      return rich([written(block.value)])
    case 'facts':
      return rich(
        block.value.flatMap(({ label, text }, index) => [
          written(`${index === 0 ? '' : '\n'}${label}: `, { bold: true }),
          written(text),
        ])
      )
    case 'link':
      return rich([{ type: 'link', url: block.value.url, text: block.value.label }])
  }
}

const headingOf = (value: string): HeaderBlock => ({
  type: 'header',
  text: { type: 'plain_text', text: clipped(value, MAX_LENGTHS.heading), emoji: false },
})

const rich = (elements: Elements): RichTextBlock => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements }],
})

/** Replaces an empty text, which Slack refuses. */
const written = (text: string, style?: { bold: true }): Elements[number] => ({
  type: 'text',
  text: text === '' ? ' ' : clipped(text, MAX_LENGTHS.text),
  ...(style && { style }),
})

const mentioned = (id: string, index: number): Elements => [
  ...(index === 0 ? [] : [written(' ')]),
  { type: 'user', user_id: id },
]

const actionsOf = (buttons: readonly ChatButton[]): ActionsBlock => ({
  type: 'actions',
  elements: buttons.slice(0, MAX_BUTTONS).map(buttonOf),
})

/** Makes the id of a button, which must be unique within a block, from its name and number. */
const SEPARATOR = ':'
/** The name of a button that links to a page; Slack reports its presses, too. */
const LINK = 'open'

function buttonOf(button: ChatButton, index: number): Button {
  const { label, style } = button
  const common = {
    type: 'button',
    text: { type: 'plain_text', text: clipped(label, MAX_LENGTHS.label), emoji: false },
    ...(style && { style }),
  } as const
  if ('url' in button) {
    return { ...common, action_id: `${LINK}${SEPARATOR}${index}`, url: button.url }
  }
  const { action, value, asks } = button
  return {
    ...common,
    action_id: `${action}${SEPARATOR}${index}`,
    value,
    ...(asks !== undefined && { confirm: confirmOf(label, asks) }),
  }
}

const confirmOf = (label: string, asks: string): NonNullable<Button['confirm']> => {
  const plain = (text: string, longest: number) =>
    ({ type: 'plain_text', text: clipped(text, longest), emoji: false }) as const
  return {
    title: plain(label, 100),
    text: plain(asks, MAX_LENGTHS.question),
    confirm: plain(label, 30),
    deny: plain('Not now', 30),
  }
}

/** Returns the name of a pressed button; null for one that links to a page. */
export function actionIn(actionId: string): string | null {
  const [action] = actionId.split(SEPARATOR, 1)
  return action === LINK ? null : action
}

/**
 * Escapes text for places where Slack reads markup, which always begins with one of these three
 * characters.
 */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function clipped(text: string, longest: number): string {
  const characters = [...text]
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`
}
