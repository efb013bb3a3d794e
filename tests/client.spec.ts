import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { EdgeVM } from '@edge-runtime/vm'
import { test } from '@japa/runner'
import { bundleClient, givenTo, installClient, USED } from '#tests/support/packed_client'
import { serviceUrl } from '#tests/support/processes'

/*
 * The client as its users have it: packed, installed with its dependencies alone, compiled, bundled
 * and run against the service. `client.browser.ts` runs it in a browser.
 */

const run = promisify(execFile)
const TSGO = fileURLToPath(new URL('../node_modules/.bin/tsgo', import.meta.url))
const MAX_BYTES = 10_000

test.group('The packed client', (group) => {
  let folder: string
  group.setup(async () => {
    const ends: (() => void)[] = []
    folder = await installClient((end) => ends.push(end))
    return () => ends.forEach((end) => end())
  })

  test('compiles, is small, and leaves out what is not used', async ({ assert }) => {
    const whole = await bundleClient(folder, `export * from '@tarmac/client'`)
    assert.isBelow(gzipSync(whole).length, MAX_BYTES)
    assert.notMatch(whole, /\bnode:|\bBuffer\(/)
    const part = await bundleClient(folder, `export { createTarmacClient } from '@tarmac/client'`)
    assert.include(whole, 'whsec_')
    assert.notInclude(part, 'whsec_')

    const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024']
    const types = ['--types', 'node', '--skipLibCheck', 'use.ts']
    await run(TSGO, [...strict, ...types], { cwd: folder })
  })

  test('talks to the service in Node', async ({ assert }) => {
    const given = JSON.stringify(await givenTo(serviceUrl()))
    const program = `import { use } from './use.ts'\nconsole.log(JSON.stringify(await use(${given})))`
    writeFileSync(join(folder, 'run.ts'), program)
    const { stdout } = await run(process.execPath, ['run.ts'], { cwd: folder })
    assert.deepEqual(JSON.parse(stdout), USED)
  })

  test('talks to the service in an edge runtime, which has nothing of Node', async ({ assert }) => {
    const source = `export { use } from './use.ts'`
    const program = await bundleClient(folder, source, { format: 'iife', globalName: 'program' })
    const edge = new EdgeVM({ initialCode: program })
    assert.equal(edge.evaluate('typeof process + typeof Buffer'), 'undefinedundefined')
    const given = JSON.stringify(await givenTo(serviceUrl()))
    const used = await edge.evaluate<Promise<string>>(`program.use(${given}).then(JSON.stringify)`)
    assert.deepEqual(JSON.parse(used), USED)
  })
})
