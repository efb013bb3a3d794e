import { malformed, only, occurrenceAt, type Locate, type Occurrence } from './occurrence.ts'

const KEY = 'CFBundleShortVersionString'

interface Tag {
  name: string
  kind: 'opening' | 'closing' | 'empty'
  start: number
  end: number
}

/** Locates `CFBundleShortVersionString` in the outermost dictionary of a property list in XML. */
export const locateInPlist: Locate = (text) => {
  const open: { name: string; content: number }[] = []
  const found: (Occurrence | null)[] = []
  let key: string | null = null
  let isPlist = false
  for (const tag of tagsOf(text)) {
    if (tag.kind === 'opening') {
      open.push({ name: tag.name, content: tag.end })
      continue
    }
    const content = tag.kind === 'closing' ? open.pop() : { name: tag.name, content: tag.start }
    if (content?.name !== tag.name) throw malformed('property list')
    isPlist ||= tag.name === 'plist'
    if (open.length !== 2 || open[0].name !== 'plist' || open[1].name !== 'dict') continue
    if (tag.name === 'key') {
      key = text.slice(content.content, tag.start).trim()
      continue
    }
    if (key === KEY) {
      found.push(tag.name === 'string' ? occurrenceAt(text, content.content, tag.start) : null)
    }
    key = null
  }
  if (!isPlist || open.length > 0) throw malformed('property list in XML')
  return only(KEY, found)
}

/** Ranges that contain no tags: nothing in them counts. */
const PASSED = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const

function* tagsOf(text: string): Generator<Tag> {
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const passed = PASSED.find(([begin]) => text.startsWith(begin, at))
    const close = passed ? passed[1] : '>'
    const end = text.indexOf(close, at + (passed ? passed[0].length : 1))
    if (end === -1) throw malformed('property list')
    if (!passed) yield tagOf(text, at, end + 1)
    at = end + close.length
  }
}

function tagOf(text: string, start: number, end: number): Tag {
  const inner = text.slice(start + 1, Math.min(end - 1, start + 200))
  const [, closing, name, empty] = /^(\/?)([A-Za-z]+)(?:\s[^/]*)?(\/?)$/.exec(inner) ?? []
  if (name === undefined) throw malformed('property list')
  return { name, kind: closing ? 'closing' : empty ? 'empty' : 'opening', start, end }
}
