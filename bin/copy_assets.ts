/*
 * `npm run assets`: copies the assets of pages from development packages (the icons in use, the
 * font, htmx and the API reference) with their licences; the package of the icons has none. The
 * copies are committed, so that an installation does not need those packages.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { brotliCompressSync, constants } from 'node:zlib'
import { ICONS } from '../app/pages/frame/icon_names.js'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const PACKAGES = `${ROOT}node_modules/`
const TARGET = `${ROOT}app/pages/assets/`

/** Subsets of the font; a browser loads only those that a text needs. */
const SUBSETS = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese']

const read = (path: string) => readFileSync(PACKAGES + path)

/** Attributes of strokes, which the style sheet of the pages sets for all icons. */
const STROKES =
  / (?:fill="none"|stroke="currentColor"|stroke-line(?:cap|join)="round"|stroke-width="2")/g

/** Returns an SVG sprite of the icons in use, each a symbol with its name. */
function sprite(): string {
  const { icons } = JSON.parse(read('@iconify-json/lucide/icons.json').toString()) as {
    icons: Record<string, { body: string }>
  }
  const symbols = ICONS.map((name) => {
    const shapes = icons[name].body.replace(STROKES, '').replace(/<\/?g>/g, '')
    return `<symbol id="${name}" viewBox="0 0 24 24">${shapes}</symbol>\n`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join('')}</svg>\n`
}

/** The package that contains Scalar's reference as one file. */
const SCALAR = '@scalar/fastify-api-reference'

/**
 * Scalar's placeholder in an empty field for a key, which does not look like a key of this service.
 */
const KEY_FILLER = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT'

/**
 * Returns the script that renders the API reference. It is a string literal in the code of this
 * package; Scalar's own package of the script would install 287 MB of dependencies.
 */
export function scalarScript(): string {
  const code = read(`${SCALAR}/dist/index.js`).toString()
  const literal = /^var standalone_default = (".*");$/m.exec(code)
  if (!literal) throw new Error(`${SCALAR} holds no script`)
  return (runInNewContext(literal[1]) as string).replaceAll(KEY_FILLER, 'tarmac_…')
}

/**
 * Returns the compressed script, with its version in the name, so that the service need not read
 * the file to name it.
 */
function packedScalar(): [name: string, packed: Buffer] {
  const { version } = JSON.parse(read(`${SCALAR}/package.json`).toString()) as { version: string }
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  return [`scalar.${version}.js.br`, brotliCompressSync(scalarScript(), { params })]
}

/** Returns the content of every copied file by its name. */
function copiedAssets(): Map<string, string | Buffer> {
  const fonts = SUBSETS.map((subset): [string, Buffer] => [
    `inter-${subset}.woff2`,
    read(`@fontsource-variable/inter/files/inter-${subset}-wght-normal.woff2`),
  ])
  return new Map<string, string | Buffer>([
    [
      'htmx.js',
      read('htmx.org/dist/htmx.min.js')
        .toString()
        .replace(/\n?\/\/# source.*\n?$/, '\n'),
    ],
    ['icons.svg', sprite()],
    ...fonts,
    packedScalar(),
    ['LICENSE-scalar.txt', read(`${SCALAR}/LICENSE`)],
    ['LICENSE-htmx.txt', read('htmx.org/LICENSE')],
    ['LICENSE-inter.txt', read('@fontsource-variable/inter/LICENSE')],
  ])
}

if (import.meta.main) {
  mkdirSync(TARGET, { recursive: true })
  for (const former of globSync(`${TARGET}*.br`)) rmSync(former)
  for (const [name, content] of copiedAssets()) writeFileSync(TARGET + name, content)
}
