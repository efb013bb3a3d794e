import ts from 'typescript'
import { readSources, type Source } from '../sources.js'
import { templatesIn } from './template_texts.js'

/*
 * The texts that people read: problems, reasons why a release does not move, entries of timelines,
 * messages in chats, pages and the output of commands, read from the sources.
 */

/** The page of the texts. */
export const TEXTS = new URL('../../../docs/texts.md', import.meta.url)

/** Files whose texts are read in the OpenAPI document or in docs/reference. */
const ELSEWHERE =
  /\/(tests|routes|validators|models)\/|entit(y|ies)[^/]*\.ts$|(_input|_data|_schema|_members)\.ts$|\/(routes|tables|examples|events|event_payloads|problems|entities|schemas)\.ts$/

/** Begins as a sentence does, and has at least three words. */
const SENTENCE = /^(\p{Lu}|…)\S*\s\S+\s/u
const WORD = /\p{Ll}{3}/u
/** Statements of SQL, which are in small letters, shapes of charts, and control characters. */
const NO_TEXT =
  /^(select|insert|update|delete|with|from) |[=<>]=? :|\p{Cc}| json\(:|order by | limit [\d:…]| union all |= excluded|^… (returning|as [a-z_]+$|each|in )|_recordset|ROLLBACK|is null\b| <> |<(circle|line) /u

/** Properties that hold texts, however short. */
const NAMED = new Set(['title', 'message', 'detail', 'remedy', 'hint', 'label', 'reason'])

/** The module whose functions take descriptions of the API. */
const SCHEMAS = 'app/foundation/core/schemas.ts'

/** Returns whether a node holds texts of the API, or an error of the service itself. */
function isSkipped(node: ts.Node, schemas: ReadonlySet<string>): boolean {
  if (ts.isNewExpression(node)) return node.expression.getText() === 'Error'
  if (ts.isPropertyAssignment(node))
    return /^(description|summary|schema)$/.test(node.name.getText())
  if (!ts.isCallExpression(node)) return false
  const callee = node.expression.getText()
  return callee === 'describedAs' || callee.startsWith('Type.') || schemas.has(callee)
}

const isNamed = ({ parent }: ts.Node) =>
  ts.isPropertyAssignment(parent) && NAMED.has(parent.name.getText())

/** Returns a literal as people read it: `…` stands for what is filled in. */
function textOf(node: ts.Node): string {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (!ts.isTemplateExpression(node)) return ''
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
}

function textsIn({ file, imports }: Source): string[] {
  const names = imports.flatMap((each) => (each.target === SCHEMAS ? [...each.names.keys()] : []))
  const schemas = new Set(names)
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (isSkipped(node, schemas)) return
    const text = textOf(node).replaceAll(/\s+/g, ' ').trim()
    const isText = SENTENCE.test(text) || (text.includes(' ') && isNamed(node))
    if (isText && WORD.test(text) && !NO_TEXT.test(text)) found.add(text)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return [...found]
}

const HEAD = `# Texts

Everything that people read in the service: problems, reasons, entries of timelines, messages in chats, pages and the output of commands, by module and file. \`…\` stands for what is filled in. \`npm run docs:reference\` writes this page from the sources; the texts of the API are in its description, those of problem codes in [their table](docs/reference/problems.md).`

/** Returns the page of all texts. */
export function textsPage(): string {
  const sections = new Map<string, string[]>()
  const sources = readSources('app').map((source) => ({
    path: source.path,
    texts: ELSEWHERE.test(source.path) ? [] : textsIn(source),
  }))
  const all = [...sources, ...templatesIn('app')].filter(({ texts }) => texts.length > 0)
  for (const { path, texts } of all.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const [, module] = path.split('/')
    const lines = sections.get(module) ?? []
    lines.push('', `\`${path}\``, '', ...texts.map((text) => `- ${text}`))
    sections.set(module, lines)
  }
  const lines = [...sections].flatMap(([module, found]) => ['', `## ${module}`, ...found])
  return [HEAD.replace('](docs/', ']('), ...lines, ''].join('\n')
}
