import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { writePlugin, FolderTaken } from '#integrations/scaffold/write_plugin'
import { withPlugin } from '#plugin-kit/configure'
import { runConformance, type ConformanceOptions, type ProviderFake } from '#plugin-kit/testing'

const template = app.makePath('packages/plugin-kit/template')

const sourceAt = (...path: string[]) => pathToFileURL(join(...path)).href

test.group('make:integration', (group) => {
  let folder: string
  group.each.setup(async () => {
    folder = await mkdtemp(app.makePath('tmp', 'plugin-'))
    return () => rm(folder, { recursive: true })
  })

  test('a new chat plugin passes the conformance suite as it is', async ({ assert }) => {
    const written = await writePlugin({
      id: 'launch-pad',
      kind: 'chat',
      to: folder,
      isPackage: false,
      template,
    })
    assert.includeMembers(written, [
      'README.md',
      'capabilities/chat.ts',
      'errors.ts',
      'fake/server.ts',
      'fixtures/message.json',
      'lifecycle.ts',
      'manifest.ts',
      'mapping.ts',
      'plugin.ts',
      'tests/conformance.spec.ts',
    ])
    const { default: plugin } = await import(sourceAt(folder, 'plugin.js'))
    const { LaunchPadFake } = (await import(sourceAt(folder, 'fake/server.js'))) as {
      LaunchPadFake: new () => ProviderFake
    }
    const spec = await readFile(join(folder, 'tests/conformance.spec.ts'), 'utf8')
    assert.include(spec, 'LaunchPadFake')
    const report = await runConformance({
      plugin: plugin as ConformanceOptions['plugin'],
      fake: () => new LaunchPadFake(),
      credentials: { good: { token: 'good-token' }, bad: { token: 'bad-token' } },
      data: { chat: { primaryChannelIds: ['C1'] } },
    })
    assert.deepEqual(report.failed, [])
    assert.isTrue(report.passed)
    assert.equal(report.plugin, 'launch-pad')
  })

  test('a package imports the kit by its name, and keeps no name of the template', async ({
    assert,
  }) => {
    const written = await writePlugin({
      id: 'parcel',
      kind: 'chat',
      to: folder,
      isPackage: true,
      template,
    })
    assert.includeMembers(written, ['README.md', 'package.json', 'configure.ts', 'src/plugin.ts'])
    for (const path of written) {
      const text = await readFile(join(folder, path), 'utf8')
      assert.notMatch(text, /acme|#plugin-kit/i, path)
    }
    const { exports: entries } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    assert.containsSubset(Object.keys(entries), ['.', './plugin'])
  })

  test('a folder that is not empty is left alone', async ({ assert }) => {
    await writeFile(join(folder, 'mine.txt'), 'mine')
    const plugin = { id: 'parcel', kind: 'chat', to: folder, isPackage: false, template } as const
    await assert.rejects(() => writePlugin(plugin), FolderTaken as never)
    assert.equal(await readFile(join(folder, 'mine.txt'), 'utf8'), 'mine')
  })

  test('a plugin is added to the configuration once, after the existing ones', ({ assert }) => {
    const empty = 'export default defineConfig({\n  plugins: {},\n  http: {},\n})\n'
    const one = withPlugin(empty, 'parcel', 'tarmac-plugin-parcel/plugin')!
    assert.include(one, `    parcel: () => import('tarmac-plugin-parcel/plugin'),\n  },\n  http`)
    assert.equal(withPlugin(one, 'parcel', 'tarmac-plugin-parcel/plugin'), one)
    const two = withPlugin(one, 'launch-pad', './plugin')!
    assert.include(two, `plugin'),\n    'launch-pad': () => import('./plugin'),\n  },`)
    assert.isNull(withPlugin('export default {}', 'parcel', './plugin'))
  })
})
