import { test } from '@japa/runner'
import { MAX_OPEN_RELEASES } from '#workflow/bounds'
import { makeTrain } from './helpers/release_world.js'

const versions = (count: number) => Array.from({ length: count }, (_, minor) => `1.${minor}.0`)

test.group('The limit of open releases', () => {
  test('drafting or unskipping one more is refused until another release ends', async ({
    assert,
  }) => {
    const { admin, app, path } = await makeTrain(versions(MAX_OPEN_RELEASES), {
      steps: [{ type: 'kickoff', releaseTypes: { standard: { required: true } } }],
    })
    const draft = (input: object) => admin.post(`/app/${app}/release`, input)
    const kinds = [
      { version: '2.0.0' },
      { version: '2.0.0', releaseType: 'hotfix', baseTag: { name: 'v1.0.0' } },
    ]
    for (const input of kinds) {
      const { status, body } = await draft(input)
      assert.equal(status, 409)
      assert.containsSubset(body, { code: 'too_many_open_releases', limit: MAX_OPEN_RELEASES })
    }
    // A taken version is reported before the limit.
    assert.equal((await draft({ version: '1.0.0' })).body.code, 'version_taken')

    assert.equal((await admin.put(`${path('1.5.0')}/skip`, {})).status, 200)
    assert.equal((await draft({ version: '2.0.0' })).status, 201)
    const unskip = await admin.put(`${path('1.5.0')}/unskip`)
    assert.equal(unskip.status, 409)
    assert.equal(unskip.body.code, 'too_many_open_releases')
    assert.equal((await admin.delete(path('1.6.0'))).status, 204)
    assert.equal((await admin.put(`${path('1.5.0')}/unskip`)).status, 200)
    assert.equal((await draft({ version: '2.1.0' })).body.code, 'too_many_open_releases')

    await admin.put(`${path('1.0.0')}/kickoff`)
    assert.equal((await admin.put(`${path('1.0.0')}/complete`)).status, 200)
    assert.equal((await draft({ version: '2.1.0' })).status, 201)
  })
})
