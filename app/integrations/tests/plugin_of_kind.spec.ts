import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { test } from '@japa/runner'
import ts from 'typescript'
import { writePlugin } from '#integrations/scaffold/write_plugin'
import { REQUIRED_METHODS } from '#plugin-kit/capabilities/map'
import { KINDS } from '#plugin-kit/kinds'
import { runConformance, type ConformanceOptions, type ProviderFake } from '#plugin-kit/testing'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const template = join(ROOT, 'packages/plugin-kit/template')
const OTHERS = KINDS.filter((kind) => kind !== 'chat')

/** Returns the compiler's errors in plugin files, with the settings of the service. */
function problemsOf(files: readonly string[]): string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT)
  const program = ts.createProgram(files, { ...options, noEmit: true, incremental: false })
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText, file }) => `${file?.fileName}: ${JSON.stringify(messageText)}`)
}

test.group('make:integration of each kind', (group) => {
  let folder: string
  group.setup(async () => {
    folder = await mkdtemp(join(ROOT, 'tmp', 'kinds-'))
    return () => rm(folder, { recursive: true })
  })

  test('a new plugin compiles, connects, and fails by its unwritten methods', async ({
    assert,
  }) => {
    const sources: string[] = []
    for (const kind of OTHERS) {
      const to = join(folder, kind)
      const plugin = { id: 'launch-pad', kind, to, isPackage: false, template }
      const written = await writePlugin(plugin)
      assert.notInclude(written.join(' '), 'chat', kind)
      sources.push(...written.filter((path) => path.endsWith('.ts')).map((path) => join(to, path)))
      const at = (path: string) => pathToFileURL(join(to, path)).href
      const { default: made } = await import(at('plugin.js'))
      const { LaunchPadFake } = (await import(at('fake/server.js'))) as {
        LaunchPadFake: new () => ProviderFake
      }
      const { failed, groups } = await runConformance({
        plugin: made as ConformanceOptions['plugin'],
        fake: () => new LaunchPadFake(),
        credentials: { good: { token: 'good-token' }, bad: { token: 'bad-token' } },
        data: { [kind]: {} },
      })
      assert.deepEqual(groups.M, { passed: groups.M!.rules, rules: groups.M!.rules }, kind)
      assert.deepEqual(groups.A, { passed: groups.A!.rules, rules: groups.A!.rules }, kind)
      const names = Object.keys(REQUIRED_METHODS[kind]).join('|')
      assert.match(failed.map(({ problem }) => problem).join(), RegExp(`no (${names}) yet`), kind)
    }
    assert.deepEqual(problemsOf(sources), [])
  }).timeout(120_000)
})
