import { execFileSync } from 'node:child_process'
import { test } from '@japa/runner'
import { fileAt, makeCode, workAway } from '#releases/tests/helpers/code_world'
import { HERE, SAMPLES } from '#releases/tests/helpers/version_samples'

const MARK = Buffer.from([0xef, 0xbb, 0xbf])
/** Windows line ends and a byte order mark, except in formats that no tool writes this way. */
const asBytes = (sample: string, version: string, isWindows: boolean) => {
  const text = sample.replaceAll(HERE, version)
  if (!isWindows) return Buffer.from(text)
  return Buffer.concat([MARK, Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'))])
}

test.group('Versions in the files of a repository', () => {
  test('are written without touching another byte, all kinds in one commit', async ({
    assert,
    cleanup,
  }) => {
    for (const isWindows of [false, true]) {
      const code = await makeCode(cleanup)
      const { repository, admin, app, path, setVersionFiles } = code
      const files = SAMPLES.map(([name, sample]) => [name, asBytes(sample, '10.1.0', isWindows)])
      const base = repository.commit({ files: Object.fromEntries(files) })
      await setVersionFiles(...SAMPLES.map(([name]) => name))
      await admin.post(`/app/${app}/release`, { version: '10.2.0' })
      const on = { type: 'bumpVersionBeforeKickoff', enabled: true }
      assert.equal((await admin.put(`/app/${app}/automations`, on)).status, 200)
      await admin.put(`${path('10.2.0')}/kickoff`)
      await workAway()
      assert.equal(repository.git('rev-list', '--count', `${base}..release/10.2.0`), '1')
      for (const [name, sample] of SAMPLES) {
        const where = ['-C', repository.path, 'cat-file', 'blob', `release/10.2.0:${name}`]
        const written = execFileSync('git', where)
        const expected = asBytes(sample, '10.2.0', isWindows)
        assert.isTrue(written.equals(expected), `${name}: ${written.toString()}`)
      }
    }
  })

  test('are not written if one file is malformed, and no branch is cut', async ({
    assert,
    cleanup,
  }) => {
    const sound = 'version=1.1.0\n'
    const cases: [string, Buffer | string, string][] = [
      ['package.json', '{"version": "1.1.0"', 'is no JSON'],
      ['ios/Info.plist', 'bplist00\u0001', 'is no property list'],
      ['app/build.gradle', 'versionName rootProject.version', 'no plain version'],
      ['pubspec.yaml', Buffer.from([0xff, 0xfe, 0x76, 0x00]), 'is not UTF-8 text'],
      ['a.xcconfig', Buffer.alloc(0), 'sets no MARKETING_VERSION'],
      ['version.txt', '1.1.0', 'is no kind of file'],
      ['gone/app.json', '', 'is not on main'],
    ]
    for (const [name, content, why] of cases) {
      const code = await makeCode(cleanup)
      const { repository, admin, app, path, setVersionFiles, timeline, detail } = code
      const there = name.startsWith('gone/') ? {} : { [name]: content }
      const base = repository.commit({ files: { 'gradle.properties': sound, ...there } })
      await setVersionFiles('gradle.properties', name)
      await admin.post(`/app/${app}/release`, { version: '1.2.0' })
      const on = { type: 'bumpVersionBeforeKickoff', enabled: true }
      await admin.put(`/app/${app}/automations`, on)
      await admin.put(`${path('1.2.0')}/kickoff`)
      await workAway()
      assert.deepEqual([...repository.refs().values()], [base], name)
      assert.equal(fileAt(code, 'main', 'gradle.properties'), sound.trim())
      assert.isNull((await detail('1.2.0')).kickedOffAt)
      const events = await timeline('1.2.0')
      const { title, data } = events.find(({ type }) => type === 'automation.failed')
      assert.deepEqual([data.result, data.reason], ['failed', 'blocked'])
      assert.include(title, name)
      assert.include(title, why)
    }
  })
})
