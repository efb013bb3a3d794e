/*
 * Copies what pages bring to browsers out of development packages: the icons that are used, the
 * font, the library and the reference of the API, with their licences. What it copies is committed, so that an installation
 * needs none of those packages: `npm run assets`.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { brotliCompressSync, constants } from 'node:zlib'
import { ICONS } from '../app/pages/frame/icon_names.js'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const PACKAGES = `${ROOT}node_modules/`
const TARGET = `${ROOT}app/pages/assets/`

/** Subsets of the font; a browser asks only for those that a text needs. */
const SUBSETS = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese']

const read = (path: string) => readFileSync(PACKAGES + path)

/** One file of all icons that are used, each a symbol of its name. */
function sprite(): string {
  const symbols = ICONS.map((name) => {
    const shapes = /<svg[^>]*>([^]*)<\/svg>/.exec(
      read(`lucide-static/icons/${name}.svg`).toString()
    )
    if (!shapes) throw new Error(`The icon ${name} is not an SVG`)
    const drawn = shapes[1].replace(/\s*\n\s*/g, '')
    return `<symbol id="${name}" viewBox="0 0 24 24">${drawn}</symbol>\n`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join('')}</svg>\n`
}

/** The package that brings Scalar's reference in one file. */
const SCALAR = '@scalar/fastify-api-reference'

/** The text of the reference in an empty field for a key: no key of this service looks like it. */
const KEY_FILLER = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT'

/**
 * The script that draws the reference of the API, which the package holds as a text within its own
 * code: the package of the script alone brings 287 MB of others.
 */
export function scalarScript(): string {
  const code = read(`${SCALAR}/dist/index.js`).toString()
  const literal = /^var standalone_default = (".*");$/m.exec(code)
  if (!literal) throw new Error(`${SCALAR} holds no script`)
  return (runInNewContext(literal[1]) as string).replaceAll(KEY_FILLER, 'tarmac_…')
}

/** Its name contains the version, as it is not read to be named; it is kept compressed. */
function packedScalar(): [name: string, packed: Buffer] {
  const { version } = JSON.parse(read(`${SCALAR}/package.json`).toString()) as { version: string }
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  return [`scalar.${version}.js.br`, brotliCompressSync(scalarScript(), { params })]
}

/** Every file of the folder by its name. */
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
    ['LICENSE-lucide.txt', read('lucide-static/LICENSE')],
  ])
}

if (import.meta.main) {
  mkdirSync(TARGET, { recursive: true })
  for (const former of globSync(`${TARGET}*.br`)) rmSync(former)
  for (const [name, content] of copiedAssets()) writeFileSync(TARGET + name, content)
}
