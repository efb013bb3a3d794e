import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { VENDOR_PLUGINS } from '#tests/support/vendor_plugins'
import { inTurn, reported } from '../figures.js'
import type { Row } from '../part.js'
import { Stand } from '../stand.js'

const PLUGINS = 40

/** The plugins of vendors that the service ships with. */
const SHIPPED = Object.keys(VENDOR_PLUGINS).map((id) => import.meta.resolve(`@tarmac/plugin-${id}`))

/** A manifest as long as those of vendors, with credentials, settings and several capabilities. */
const manifestOf = (id: string) => ({
  id,
  aliases: [`${id}-cloud`],
  name: `Vendor ${id}`,
  version: '1.0.0',
  spi: 1,
  docsUrl: `https://${id}.example/docs`,
  hosts: { allow: [`api.${id}.example`], downloads: [`*.files.${id}.example`], selfHosted: true },
  auth: [{ scheme: 'header', header: 'authorization', prefix: 'Bearer ' }, { scheme: 'basic' }],
  credentialSchema: {
    type: 'object',
    properties: {
      token: { 'type': 'string', 'minLength': 8, 'maxLength': 400, 'x-secret': true },
      username: { type: 'string', maxLength: 200 },
      password: { 'type': 'string', 'maxLength': 400, 'x-secret': true },
    },
  },
  connectionSchema: {
    type: 'object',
    properties: {
      host: { type: 'string', maxLength: 255 },
      region: { type: 'string', maxLength: 20 },
    },
  },
  rate: { requests: 60, perSeconds: 60, concurrency: 4, scope: 'credential' },
  capabilities: Object.fromEntries(
    ['versionControl', 'ci', 'issueTracking', 'chat'].map((kind) => [
      kind,
      { type: `${id}-${kind.toLowerCase()}`, features: [] },
    ])
  ),
})

/**
 * Writes entry files of plugins as packages have them: a manifest, and lazy imports of the rest.
 */
function writePlugins(folder: string): string[] {
  return Array.from({ length: PLUGINS }, (_, index) => {
    const id = `vendor${index}`
    const home = join(folder, id)
    mkdirSync(home)
    writeFileSync(join(home, 'package.json'), '{"type":"module"}')
    writeFileSync(
      join(home, 'manifest.js'),
      `export const manifest = ${JSON.stringify(manifestOf(id))}\n`
    )
    const load = `() => import('./rest.js')`
    const kinds = ['versionControl', 'ci', 'issueTracking', 'chat']
    writeFileSync(
      join(home, 'plugin.js'),
      `import { manifest } from './manifest.js'\nexport default { manifest, lifecycle: ${load}, capabilities: { ${kinds.map((kind) => `${kind}: ${load}`).join(', ')} } }\n`
    )
    return pathToFileURL(join(home, 'plugin.js')).href
  })
}

/**
 * Measures a start with the plugins that ship, and with 40 generated ones, against one with none. A
 * start imports and checks the entries of plugins, and nothing else of them.
 */
export async function measurePlugins(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tarmac-plugins-'))
  try {
    const entries = writePlugins(folder)
    return await Stand.use('sqlite', async (stand) => {
      const load = (urls: readonly string[]) => async () => {
        process.env.BENCH_PLUGINS = JSON.stringify(urls)
        const { milliseconds, running } = await stand.program<{
          milliseconds: number
          running: number
        }>('benchmarks/loading.ts')
        if (running !== urls.length) throw new Error(`${running} of ${urls.length} plugins run`)
        return milliseconds
      }
      const figures = await inTurn({
        none: load([]),
        shipped: load(SHIPPED),
        forty: load(entries),
      })
      const row = (plugins: string, measured: readonly number[]) => ({
        what: `start with ${plugins}, over one with none`,
        service: reported(
          measured.map((each, round) => each - figures.none[round]),
          'ms'
        ),
        aim: 'at most 100 ms',
      })
      return [
        row(`the ${SHIPPED.length} plugins of vendors`, figures.shipped),
        row(`${PLUGINS} plugins`, figures.forty),
      ]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
