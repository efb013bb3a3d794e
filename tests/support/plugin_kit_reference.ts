import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { format } from 'oxfmt'
import ts from 'typescript'
import { OPTIONAL_METHODS } from '#plugin-kit/capabilities/map'
import { KIND_SUITES } from '#plugin-kit/conformance/kinds/index'
import { DATA_FIELDS, KINDS, type DataField, type Kind } from '#plugin-kit/kinds'

/*
 * `npm run reference`: writes docs/reference/plugin-kit, a page for each kind, from the types of the plugin
 * kit and their comments. To change the pages, change those.
 */

const KIT = new URL('../../packages/plugin-kit/', import.meta.url)
export const FOLDER = new URL('../../docs/reference/plugin-kit/', import.meta.url)
const SOURCES = [
  'capabilities/map.ts',
  'capabilities/source.ts',
  'capabilities/stores.ts',
  'capabilities/work.ts',
  'capabilities/monitoring.ts',
  'context.ts',
  'provider_error.ts',
]
/** Types that all kinds use: the index page lists them. */
const COMMON = ['PluginContext', 'Page', 'Mutation', 'Observed', 'Ref', 'ProviderErrorDetail']

const HOLDS: Record<DataField, string> = {
  text: 'a text',
  texts: 'a list of texts',
  events: 'a list of events with their parameters',
}

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration

/** Returns the text of the pages by their file names. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  const declared = await declarations()
  const options = JSON.parse(
    await readFile(new URL('../../.oxfmtrc.json', import.meta.url), 'utf8')
  )
  const pages = new Map([['README.md', indexPage(declared)]])
  for (const kind of KINDS) pages.set(`${kind}.md`, kindPage(kind, declared))
  for (const [name, page] of pages) {
    pages.set(name, (await format(name, page, options)).code)
  }
  return pages
}

async function declarations(): Promise<Map<string, Declaration>> {
  const declared = new Map<string, Declaration>()
  for (const name of SOURCES) {
    const text = await readFile(new URL(name, KIT), 'utf8')
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
    for (const statement of file.statements) {
      if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)) continue
      declared.set(statement.name.text, statement)
    }
  }
  return declared
}

function indexPage(declared: ReadonlyMap<string, Declaration>): string {
  return lines([
    '# Reference of the plugin kit',
    '',
    'A page for each kind of integration: the fields of its `data`, the methods of its capability, what they take and answer, and what the conformance suite tries. They are written from the types by `npm run reference`.',
    '',
    '| Kind | Methods | May be left out |',
    '|---|---|---|',
    ...KINDS.map((kind) => {
      const all = methodsOf(capabilityOf(kind, declared)).map((each) => each.name.getText())
      const optional = Object.keys(OPTIONAL_METHODS[kind])
      const names = (some: string[]) => some.map((name) => `\`${name}\``).join(', ')
      const required = all.filter((name) => !optional.includes(name))
      return `| [\`${kind}\`](${kind}.md) | ${names(required)} | ${names(optional)} |`
    }),
    '',
    '## What all kinds work with',
    '',
    code([...COMMON, 'ProviderErrorCode'].flatMap((name) => textOf(name, declared))),
  ])
}

function kindPage(kind: Kind, declared: ReadonlyMap<string, Declaration>): string {
  const capability = capabilityOf(kind, declared)
  const fields = Object.entries(DATA_FIELDS[kind])
  return lines([
    `# ${titleOf(kind)} (\`${kind}\`)`,
    '',
    ...paragraph(commentOf(capability)),
    '[All kinds](README.md)',
    '',
    '## Fields of `data`',
    '',
    ...fields.map(([name, holds]) => `- \`${name}\`: ${HOLDS[holds]}`),
    '- others of your own, which begin with `x-`: a text, or a list of texts',
    '',
    '## Methods',
    '',
    ...methodsOf(capability).flatMap((method) => {
      const name = method.name.getText()
      const isOptional = name in OPTIONAL_METHODS[kind]
      return [
        `### \`${name}\``,
        '',
        code([method.getText().replace(/^ {2}/gm, '')]),
        '',
        ...paragraph(commentOf(method)),
        ...paragraph(
          isOptional ? 'May be left out; a plugin that has it names it in `features`.' : ''
        ),
      ]
    }),
    ...typesSection(capability, declared),
    '## What the suite tries',
    '',
    ...KIND_SUITES[kind].rules.map(
      ({ id, title, feature }) =>
        `- \`${kind}.${id}\`: ${title}${feature ? ` (\`${feature}\`)` : ''}`
    ),
  ])
}

function typesSection(capability: Declaration, declared: ReadonlyMap<string, Declaration>) {
  const names = namedIn(capability, declared)
  if (names.length === 0) return []
  return ['## Types', '', code(names.flatMap((name) => textOf(name, declared))), '']
}

/**
 * Returns the types of the kit that a declaration refers to, directly or not, in the order of the
 * references.
 */
function namedIn(root: Declaration, declared: ReadonlyMap<string, Declaration>): string[] {
  const found = new Set<string>()
  const visit = (node: ts.Node) => {
    const isReference = ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)
    const text = isReference ? node.getFirstToken()!.getText() : ''
    const next = declared.get(text)
    if (next && next !== root && !COMMON.includes(text) && !found.has(text)) {
      found.add(text)
      ts.forEachChild(next, visit)
    }
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(root, visit)
  return [...found]
}

function capabilityOf(kind: Kind, declared: ReadonlyMap<string, Declaration>): Declaration {
  const map = declared.get('CapabilityMap') as ts.InterfaceDeclaration
  const member = map.members.find((each) => each.name?.getText() === kind) as ts.PropertySignature
  return declared.get(member.type!.getText())!
}

const methodsOf = (capability: Declaration): ts.MethodSignature[] =>
  (capability as ts.InterfaceDeclaration).members.filter(ts.isMethodSignature)

/** Returns a declaration as it stands in the kit, with the comments of its members. */
function textOf(name: string, declared: ReadonlyMap<string, Declaration>): string[] {
  const declaration = declared.get(name)
  if (!declaration) return []
  const comment = commentOf(declaration)
  const text = declaration.getText().replace(/^export /, '')
  return [comment === '' ? text : `/** ${comment} */\n${text}`]
}

/**
 * Returns the doc comment of a declaration as plain text, with its tags of arguments and errors.
 */
function commentOf(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .map((each) => each.getText())
    .join('\n')
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join(' ')
    .replace(/ @(param|throws|returns)\b/g, ' *$1*')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Returns the title of a kind of integration: `Version control`. */
export const titleOf = (kind: string) =>
  kind === 'ci'
    ? 'CI'
    : kind
        .replace(/^./, (first) => first.toUpperCase())
        .replace(/[A-Z]/g, (letter, at: number) => (at === 0 ? letter : ` ${letter.toLowerCase()}`))
const paragraph = (text: string) => (text === '' ? [] : [text, ''])
const code = (blocks: readonly string[]) => ['```ts', blocks.join('\n\n'), '```'].join('\n')
const lines = (all: readonly string[]) => `${all.join('\n').trimEnd()}\n`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await mkdir(FOLDER, { recursive: true })
  for (const [name, text] of await referencePages()) await writeFile(new URL(name, FOLDER), text)
}
