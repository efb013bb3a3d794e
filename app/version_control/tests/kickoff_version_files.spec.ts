import { test } from '@japa/runner'
import { fileAt, makeCode, workAway } from '#releases/tests/helpers/code_world'

const VERSION = 'gradle.properties'

/** Makes a first release whose kickoff writes the version into a missing file. */
async function makeBlocked(cleanup: Parameters<typeof makeCode>[0]) {
  const code = await makeCode(cleanup)
  const { repository, admin, app, path } = code
  repository.commit({ files: { [VERSION]: 'version=1.1.0\n' } })
  const setFiles = (...files: string[]) =>
    admin.patch(`/app/${app}/app/config`, undefined, {
      raw: `appSettings: {versionFiles: [${files.join(', ')}]}`,
      headers: { 'content-type': 'application/yaml' },
    })
  await setFiles('gone.properties')
  await admin.post(`/app/${app}/release`, { version: '1.2.0' })
  await admin.put(`/app/${app}/automations`, { type: 'bumpVersionBeforeKickoff', enabled: true })
  const kickOff = async () => {
    await admin.put(`${path('1.2.0')}/kickoff`)
    await workAway()
  }
  await kickOff()
  return { ...code, setFiles, kickOff }
}

test.group('Version files that block a kickoff', () => {
  test('are reported with who may change the app, and follow its configuration until the kickoff', async ({
    assert,
    cleanup,
  }) => {
    const code = await makeBlocked(cleanup)
    const { admin, path, step, detail, timeline, setFiles, kickOff, provider } = code
    assert.equal((await step('1.2.0', 'kickoff')).status, 'blocked')
    const { body } = await admin.get(`${path('1.2.0')}/whyNotMoving`)
    const [condition] = body.steps.find(({ type }: any) => type === 'kickoff').unmet
    assert.include(condition.message, 'gone.properties is not on main')
    assert.deepInclude(condition.who, { type: 'userAction', name: 'UpdateAppSettings' })
    assert.notDeepInclude(condition.who, { type: 'provider', name: provider })

    const { status, text } = await setFiles(VERSION)
    assert.equal(status, 200, text)
    const reported = (await timeline('1.2.0')).find(
      ({ type }) => type === 'app.configurationChanged'
    )
    assert.include(reported.title, 'versionFiles')
    await kickOff()
    assert.isNotNull((await detail('1.2.0')).kickedOffAt)
    assert.equal(fileAt(code, 'release/1.2.0', VERSION), 'version=1.2.0')
    assert.equal((await step('1.2.0', 'kickoff')).status, 'complete')
  })

  test('no longer change once the release is kicked off', async ({ assert, cleanup }) => {
    const { setFiles, kickOff, timeline, detail } = await makeBlocked(cleanup)
    await setFiles(VERSION)
    await kickOff()
    const events = await timeline('1.2.0')
    await setFiles('other.properties')
    assert.isNotNull((await detail('1.2.0')).kickedOffAt)
    assert.deepEqual(await timeline('1.2.0'), events)
  })

  test('cause a new request for the branch if they change while it is cut', async ({
    assert,
    cleanup,
  }) => {
    const code = await makeBlocked(cleanup)
    const { admin, path, setFiles, detail } = code
    await admin.put(`${path('1.2.0')}/kickoff`)
    await setFiles(VERSION)
    await workAway()
    assert.isNotNull((await detail('1.2.0')).kickedOffAt)
    assert.equal(fileAt(code, 'release/1.2.0', VERSION), 'version=1.2.0')
  })

  test('are 422 with their place in a configuration file if no version can be read in their kind', async ({
    assert,
    cleanup,
  }) => {
    const { setFiles, admin, app } = await makeBlocked(cleanup)
    const before = await admin.get(`/app/${app}/app/config`)
    const { status, body } = await setFiles(VERSION, 'docs/version.txt')
    assert.equal(status, 422)
    assert.containsSubset(body.errors, [
      { path: 'appSettings.versionFiles[1]', line: 1, code: 'not_allowed' },
    ])
    assert.include(body.errors[0].message, 'pubspec.yaml')
    assert.equal((await admin.get(`/app/${app}/app/config`)).text, before.text)
  })
})
