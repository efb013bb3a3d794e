import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { test } from '@japa/runner'
import { build } from 'esbuild'
import { makeApp } from '#tests/support/app_fixture'
import { serviceUrl } from '#tests/support/processes'
import { makeWorld } from '#tests/support/world'

/*
 * The client as its users have it: packed, installed with its dependencies alone, compiled, bundled
 * and run against the service.
 */

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../', import.meta.url))
const MAX_BYTES = 10_000

/** A program that uses the client. */
const USE = `
import { createTarmacClient, orThrow, paginate, TarmacError } from '@tarmac/client'

const { BASE_URL: baseUrl = '', KEY: apiKey = '', APP: appId = '' } = process.env
const tarmac = createTarmacClient({ baseUrl, apiKey })
const path = { appId }
for (const version of ['1.0.0', '1.1.0', '1.2.0'])
  await orThrow(tarmac.POST('/app/{appId}/release', { params: { path }, body: { version } }))
const versions: string[] = []
const params = { path, query: { limit: 2 } }
for await (const release of paginate(tarmac, '/v2/app/{appId}/releases', { params }))
  versions.push(release.version)
const releaseId = \`\${appId}:1.1.0\`
const { steps } = await orThrow(
  tarmac.GET('/v2/app/{appId}/releases/{releaseId}', { params: { path: { appId, releaseId } } })
)
const misspelt = { version: '1.3.0', releaseNmae: 'x' }
const refusal = await orThrow(
  tarmac.POST('/app/{appId}/release', { params: { path }, body: misspelt })
).catch((error: unknown) => error)
const code = refusal instanceof TarmacError ? refusal.code : 'none'
console.log(JSON.stringify({ versions, steps: steps.length > 0, code }))
`

/** Returns a folder in which the packed client is installed. */
async function installed(cleanup: (end: () => void) => void): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tarmac-client-'))
  cleanup(() => rmSync(folder, { recursive: true, force: true }))
  await run('npm', ['run', '--silent', 'build', '-w', 'packages/client'], { cwd: ROOT })
  const packing = ['pack', '--silent', '-w', 'packages/client', '--pack-destination', folder]
  const { stdout } = await run('npm', packing, { cwd: ROOT })
  const place = join(folder, 'node_modules/@tarmac/client')
  mkdirSync(place, { recursive: true })
  await run('tar', ['xzf', join(folder, stdout.trim()), '--strip-components=1', '-C', place])
  // Dependencies that npm would install.
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'standardwebhooks', '@types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'use.ts'), USE)
  return folder
}

/**
 * Returns the bundle of a browser or an edge runtime; one that imports anything of Node is refused.
 */
async function bundled(folder: string, source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
  })
  return outputFiles[0].text
}

test.group('The packed client', () => {
  test('compiles, is small, leaves out what is not used, and talks to the service', async ({
    assert,
    cleanup,
  }) => {
    const folder = await installed(cleanup)

    const whole = await bundled(folder, `export * from '@tarmac/client'`)
    assert.isBelow(gzipSync(whole).length, MAX_BYTES)
    assert.notMatch(whole, /\bnode:|\bBuffer\(/)
    const part = await bundled(folder, `export { createTarmacClient } from '@tarmac/client'`)
    assert.include(whole, 'whsec_')
    assert.notInclude(part, 'whsec_')

    const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024']
    const types = ['--types', 'node', '--skipLibCheck', 'use.ts']
    await run(join(ROOT, 'node_modules/.bin/tsgo'), [...strict, ...types], { cwd: folder })

    const world = await makeWorld()
    const env = {
      ...process.env,
      BASE_URL: serviceUrl(),
      KEY: world.adminKey,
      APP: await makeApp(world),
    }
    const { stdout } = await run(process.execPath, ['use.ts'], { cwd: folder, env })
    assert.deepEqual(JSON.parse(stdout), {
      versions: ['1.2.0', '1.1.0', '1.0.0'],
      steps: true,
      code: 'invalid_input',
    })
  })
})
