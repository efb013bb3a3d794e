import { rmSync } from 'node:fs'
import { test } from '@japa/runner'
import { DisconnectProvider } from '#integrations/actions/disconnect_provider'
import { makeWorld } from '#tests/support/world'
import { makeCode } from '#releases/tests/helpers/code_world'
import { makeTrain } from '#releases/tests/helpers/release_world'

/** Reads every page of a list; returns the content of each. */
async function pages(admin: { get(url: string): Promise<any> }, url: string): Promise<any[][]> {
  const found: any[][] = []
  for (let next: string | undefined = url; next;) {
    const { body, headers, status, text } = await admin.get(next)
    if (status !== 200) throw new Error(text)
    found.push(body.data)
    next = /^<(.+)>; rel="next"$/.exec(headers.link ?? '')?.[1]
  }
  return found
}

test.group('GET /app/{appId}/releaseTags', () => {
  test('200 lists the present tags of the repository, with the versions in their names', async ({
    assert,
    cleanup,
  }) => {
    const { admin, app, repository } = await makeCode(cleanup, { tagPattern: 'ios-{version}' })
    assert.deepEqual((await admin.get(`/app/${app}/releaseTags`)).body.data, [])
    const one = repository.commit({ at: 1_700_000_000 })
    repository.git('tag', 'ios-1.2.0', one)
    const two = repository.commit({ at: 1_700_000_100 })
    repository.git('tag', 'nightly', two)
    const { body } = await admin.get(`/app/${app}/releaseTags`)
    assert.deepEqual(body.data, [
      {
        name: 'nightly',
        commitHash: two,
        version: null,
        createdAt: '2023-11-14T22:15:00.000Z',
        url: null,
      },
      {
        name: 'ios-1.2.0',
        commitHash: one,
        version: '1.2.0',
        createdAt: '2023-11-14T22:13:20.000Z',
        url: null,
      },
    ])
    const found = await admin.get(`/app/${app}/releaseTags?q=IOS`)
    assert.lengthOf(found.body.data, 1)
  })

  test('200 page by page, each tag once, whatever is tagged meanwhile', async ({
    assert,
    cleanup,
  }) => {
    const { admin, app, repository } = await makeCode(cleanup)
    const sha = repository.commit()
    const names = Array.from({ length: 230 }, (_, index) => `v0.0.${index}`)
    const lines = names.map((name) => `create refs/tags/${name} ${sha}\n`)
    repository.git('update-ref', '--stdin', { input: lines.join('') })
    const first = await admin.get(`/app/${app}/releaseTags?limit=70`)
    const later = repository.commit({ at: 1_800_000_000 })
    repository.git('tag', 'new', later)
    repository.git('tag', '-d', first.body.data.at(-1).name)
    const next = /^<(.+)>; rel="next"$/.exec(first.headers.link)![1]
    const rest = await pages(admin, next)
    assert.deepEqual(
      rest.map((page) => page.length),
      [70, 70, 20]
    )
    const reported = [...first.body.data, ...rest.flat()].map((tag) => tag.name)
    assert.sameMembers(reported, names)
  })

  test('409 without version control, 404 for another organization', async ({ assert }) => {
    const { admin, app } = await makeTrain()
    const response = await admin.get(`/app/${app}/releaseTags`)
    assert.deepEqual([response.status, response.body.code], [409, 'integration_missing'])
    const other = await makeWorld()
    assert.equal((await other.admin.get(`/app/${app}/releaseTags`)).status, 404)
  })

  test('502 names the connection and its error, 409 for one that was ended', async ({
    assert,
    cleanup,
  }) => {
    const { admin, app, repository, provider, world } = await makeCode(cleanup)
    rmSync(repository.path, { recursive: true })
    const { status, body } = await admin.get(`/app/${app}/releaseTags`)
    assert.equal(status, 502)
    assert.containsSubset(body, {
      code: 'provider_error',
      provider,
      reason: 'notFound',
      outcome: 'notApplied',
    })
    await world.write((scope) => new DisconnectProvider(scope).handle(provider, true))
    const ended = await admin.get(`/app/${app}/releaseTags`)
    assert.deepEqual([ended.status, ended.body.code], [409, 'credentials_missing'])
    assert.equal(ended.body.currentStatus, 'disconnected')
  })

  test('400 a cursor of another list', async ({ assert, cleanup }) => {
    const { admin, app, repository } = await makeCode(cleanup)
    repository.git('tag', 'v1', repository.commit())
    repository.git('tag', 'v2', 'v1')
    const { body } = await admin.get(`/app/${app}/releaseTags?limit=1`)
    const cursor = body.pagination.nextCursor
    const other = await admin.get(`/app/${app}/releaseTags?limit=1&q=v&cursor=${cursor}`)
    assert.deepEqual([other.status, other.body.code], [400, 'invalid_cursor'])
  })
})

test.group('GET /app/{appId}/cherryPickCandidateCommits', () => {
  const path = (app: string, query: Record<string, string>) =>
    `/app/${app}/cherryPickCandidateCommits?${new URLSearchParams(query)}`

  test('200 lists the commits of the working branch that a tag lacks, and which were picked', async ({
    assert,
    cleanup,
  }) => {
    const { admin, app, repository } = await makeCode(cleanup)
    const root = repository.commit()
    repository.git('branch', 'release/1.0', root)
    const fix = repository.commit({ message: 'Fix the start\n\nBody' })
    const other = repository.commit({ message: 'Something else' })
    repository.commit({
      branch: 'release/1.0',
      message: `Fix the start\n\n(cherry picked from commit ${fix})`,
    })
    repository.git('tag', 'v1.0.1', 'release/1.0')
    const { body } = await admin.get(path(app, { baseTag: 'v1.0.1' }))
    assert.deepEqual(
      body.data.map((each: any) => [each.hash, each.alreadyInRelease]),
      [
        [other, false],
        [fix, true],
      ]
    )
    assert.containsSubset(body.data[1], {
      shortHash: fix.slice(0, 8),
      message: 'Fix the start\n\nBody',
      author: { name: 'Ada Lovelace', email: 'ada@acme.example' },
      pullRequest: null,
    })
    for (const [q, count] of [
      ['FIX', 1],
      ['ada love', 2],
      [other.slice(0, 10), 1],
      ['nothing', 0],
    ] as const) {
      assert.lengthOf((await admin.get(path(app, { baseTag: 'v1.0.1', q }))).body.data, count, q)
    }
    const back = await admin.get(path(app, { baseTag: fix, branch: 'release/1.0' }))
    assert.lengthOf(back.body.data, 1)
  })

  test('200 page by page, also while commits come', async ({ assert, cleanup }) => {
    const { admin, app, repository } = await makeCode(cleanup)
    repository.git('tag', 'v1', repository.commit())
    repository.git('branch', 'many', 'v1')
    repository.commits(150, 'fresh')
    const url = path(app, { baseTag: 'v1', branch: 'fresh', limit: '40' })
    const first = await admin.get(url)
    repository.commit({ branch: 'fresh', message: 'Meanwhile' })
    const next = /^<(.+)>; rel="next"$/.exec(first.headers.link)![1]
    const rest = await pages(admin, next)
    const reported = [...first.body.data, ...rest.flat()]
    assert.lengthOf(new Set(reported.map(({ hash }) => hash)), 150)
    assert.lengthOf(reported, 150)
    assert.equal(reported.at(-1).message, 'Change 1')
  })

  test('200 for a hotfix without a branch, compared with its base', async ({ assert, cleanup }) => {
    const { admin, app, repository } = await makeCode(cleanup)
    repository.git('tag', 'v1.0.0', repository.commit())
    const fix = repository.commit({ message: 'Fix' })
    const made = await admin.post(`/app/${app}/release`, {
      version: '1.0.1',
      releaseType: 'hotfix',
      baseTag: { name: 'v1.0.0' },
    })
    assert.equal(made.status, 201, made.text)
    const { body } = await admin.get(path(app, { releaseId: `${app}:1.0.1` }))
    assert.deepEqual(
      body.data.map(({ hash }: any) => hash),
      [fix]
    )
  })

  test('409 for a release without a branch, 404 for an unknown one, 422 for unknown names', async ({
    assert,
    cleanup,
  }) => {
    const { admin, app, repository } = await makeCode(cleanup)
    repository.git('tag', 'v1', repository.commit())
    await admin.post(`/app/${app}/release`, { version: '2.0.0' })
    for (const [query, status, code] of [
      [{ releaseId: `${app}:2.0.0` }, 409, 'release_not_kicked_off'],
      [{ releaseId: `${app}:9.0.0` }, 404, 'not_found'],
      [{ branch: 'main' }, 422, 'invalid_input'],
      [{ baseTag: 'v1', releaseId: `${app}:2.0.0` }, 422, 'invalid_input'],
      [{ baseTag: 'v9' }, 422, 'invalid_input'],
      [{ baseTag: '--output=x' }, 422, 'invalid_input'],
      [{ baseTag: 'v1', branch: 'nowhere' }, 422, 'invalid_input'],
    ] as const) {
      const response = await admin.get(path(app, query as Record<string, string>))
      assert.deepEqual([response.status, response.body.code], [status, code], JSON.stringify(query))
    }
    const { admin: bare, app: without } = await makeCode(cleanup, {
      branches: { workingBranch: null },
    })
    const unnamed = await bare.get(path(without, { baseTag: 'v1' }))
    assert.deepEqual(
      [unnamed.status, unnamed.body.errors[0].parameter],
      [422, 'branch'],
      unnamed.text
    )
  })
})
