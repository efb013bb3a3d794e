/*
 * Bundles the program into one file, and writes the licences of the bundled packages, into `build`
 * or the folder that the first argument names.
 */
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

const out = process.argv[2] ?? here('build')

rmSync(out, { recursive: true, force: true })
const { metafile } = await build({
  entryPoints: [here('tarmac.ts')],
  outfile: join(out, 'tarmac.js'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  conditions: ['tarmac-source'],
  // Bundled CommonJS packages need `require`.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
  },
  metafile: true,
})

const PACKAGE = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//
const packages = new Map(
  Object.keys(metafile.inputs).flatMap((path) => {
    const [, folder, name] = PACKAGE.exec(path) ?? []
    return name ? [[name, folder]] : []
  })
)
function licenceOf(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  if (file) return readFileSync(`${folder}/${file}`, 'utf8').trim()
  const { license, author } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  return `${license}, ${author?.name ?? author ?? ''}`
}

const notices = [...packages].map(([name, folder]) => `${name}\n\n${licenceOf(folder)}\n`)
writeFileSync(join(out, 'LICENSES.txt'), notices.sort().join(`\n${'-'.repeat(72)}\n\n`))
