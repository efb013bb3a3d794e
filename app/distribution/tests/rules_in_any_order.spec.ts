import db from '@adonisjs/lucid/services/db'
import fc from 'fast-check'
import { test } from '@japa/runner'
import { RecordCiBuild } from '#builds/actions/record_ci_build'
import type { CIBuildStatus } from '#builds/vocabulary'
import { randomText } from '#foundation/core/ids'
import { sha256 } from './support.js'
import { makeRuled } from './ruled_buckets.js'
import { runs } from '#tests/support/effort'

/* Progress of builds and edits of buckets in any order, compared with a simple model of rules. */

const FILES = ['Acme.ipa', 'Acme-debug.ipa', 'notes.txt']
const BUILDS = [
  { branch: 'main', baseBranch: null, workflow: 'nightly.yml' },
  { branch: 'release/1.2.3', baseBranch: null, workflow: 'release.yml' },
  { branch: 'release/next', baseBranch: null, workflow: 'release.yml' },
  { branch: 'feature/x', baseBranch: 'main', workflow: 'nightly.yml' },
]

/** Patterns, with equivalent regular expressions. */
const BRANCHES: Record<string, RegExp> = {
  'main': /^main$/,
  'release/{version}': /^release\/\d+\.\d+\.\d+$/,
  'release/*': /^release\/.*$/,
  '{*}': /^.*$/,
}
const FILTERS: Record<string, RegExp> = {
  '*.ipa': /\.ipa$/,
  'Acme.???': /^Acme\.[^]{3}$/,
  '*.txt': /\.txt$/,
}

const rule = fc
  .record({
    type: fc.constantFrom('Branch', 'PR'),
    pattern: fc.constantFrom(...Object.keys(BRANCHES)),
    workflow: fc.constantFrom(null, 'nightly.yml', 'release.yml'),
    fileFilterPatterns: fc.uniqueArray(fc.constantFrom(...Object.keys(FILTERS)), { maxLength: 2 }),
  })
  .map(({ type, pattern, ...rest }) => ({
    type,
    ...rest,
    [type === 'PR' ? 'baseBranch' : 'branch']: pattern,
  }))

/** The initial rules of both buckets. */
const EVERYTHING = { type: 'Branch', branch: '{*}', workflow: null, fileFilterPatterns: [] }

const STATUSES: CIBuildStatus[] = ['pending', 'running', 'success', 'failed']
// The first build is more frequent than the others, so that much happens to it.
const build = fc.constantFrom(0, 0, 0, 1, 2, 3)
const bucket = fc.nat(1)
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ edit: bucket, rules: fc.array(rule, { maxLength: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ archive: bucket, isArchived: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ remove: build, from: bucket }) },
  {
    weight: 6,
    arbitrary: fc.record({
      reported: build,
      status: fc.constantFrom(...STATUSES, 'success' as const),
      files: fc.uniqueArray(fc.record({ name: fc.nat(2), isStored: fc.boolean() }), {
        selector: ({ name }) => name,
        maxLength: 3,
      }),
    }),
  }
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** A simple model of rules. */
class Model {
  readonly buckets = [0, 1].map(() => ({ rules: [EVERYTHING] as any[], isArchived: false }))
  readonly builds = BUILDS.map(() => ({
    status: null as string | null,
    files: new Map<string, boolean>(),
  }))
  /** Names of artifacts by `<bucket> <build>`. */
  readonly landed = new Map<string, string>()
  readonly deleted = new Set<string>()

  apply(each: Step): void {
    if ('edit' in each) this.buckets[each.edit].rules = each.rules
    else if ('archive' in each) this.buckets[each.archive].isArchived = each.isArchived
    else if ('remove' in each) {
      const key = `${each.from} ${each.remove}`
      if (this.landed.has(key)) this.deleted.add(key)
    } else this.#reported(each.reported, each.status, each.files)
  }

  #reported(index: number, status: string, files: readonly { name: number; isStored: boolean }[]) {
    const known = this.builds[index]
    const isOver = known.status !== null && ['success', 'failed'].includes(known.status)
    const isNew =
      known.status === null ||
      (!isOver && STATUSES.indexOf(status as never) > STATUSES.indexOf(known.status as never))
    if (isNew) known.status = status
    let hasNewFile = false
    for (const { name, isStored } of files) {
      const before = known.files.get(FILES[name])
      if (before === undefined || (isStored && !before)) {
        known.files.set(FILES[name], isStored)
        hasNewFile = true
      }
    }
    if (known.status !== 'success' || !(isNew || hasNewFile)) return
    for (const [place, { rules, isArchived }] of this.buckets.entries()) {
      const key = `${place} ${index}`
      if (isArchived || this.landed.has(key)) continue
      for (const each of rules) {
        const { branch, baseBranch, workflow } = BUILDS[index]
        const name = each.type === 'PR' ? baseBranch : baseBranch === null ? branch : null
        const pattern = BRANCHES[each.branch ?? each.baseBranch]
        if (name === null || !pattern.test(name)) continue
        if (each.workflow !== null && each.workflow !== workflow) continue
        const filters = each.fileFilterPatterns.length > 0 ? each.fileFilterPatterns : ['*.ipa']
        const wanted = [...known.files.keys()]
          .filter((file) => filters.some((filter: string) => FILTERS[filter].test(file)))
          .sort()
        if (wanted.length === 0) continue
        this.landed.set(key, wanted[0])
        break
      }
    }
  }
}

test.group('Rules while builds progress and buckets are edited', () => {
  test('builds land once each, by the rules at the time', async ({ assert }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (steps) => {
        const { world, admin, app, installation, buckets, reported } = await makeRuled(
          [EVERYTHING],
          [EVERYTHING]
        )
        const model = new Model()
        const ids = buckets.map((path) => path.split('/').at(-1)!)
        const ciId = async (index: number) =>
          (
            await db
              .from('ci_builds')
              .where({ app_id: app, build_identifier: String(index) })
              .select('id')
              .first()
          )?.id
        for (const each of steps) {
          model.apply(each)
          if ('edit' in each) {
            await admin.patch(buckets[each.edit], { rules: each.rules }, { uncounted: true })
          } else if ('archive' in each) {
            const status = each.isArchived ? 'archived' : 'active'
            await admin.patch(buckets[each.archive], { status }, { uncounted: true })
          } else if ('remove' in each) {
            const found = await db
              .from('distribution_builds')
              .where({ bucket_id: ids[each.from], ci_build_id: (await ciId(each.remove)) ?? '' })
              .first()
            if (found) await admin.delete(`${buckets[each.from]}/build/${found.id}`)
          } else {
            const { workflow, ...branches } = BUILDS[each.reported]
            await world.write((scope) =>
              new RecordCiBuild(scope).observe({
                ...branches,
                appId: app,
                installationId: installation,
                integrationId: 'generic-ci',
                buildIdentifier: String(each.reported),
                commitHash: 'abc',
                workflowData: { workflowId: workflow, workflowName: workflow },
                status: each.status,
                files: each.files.map(({ name, isStored }) => ({
                  kind: 'artifact',
                  fileName: FILES[name],
                  contentType: 'application/octet-stream',
                  ...(isStored && {
                    stored: {
                      key: `files/${randomText(32)}`,
                      size: 1,
                      sha256: sha256(`${app} ${name}`),
                    },
                  }),
                })),
              })
            )
          }
        }
        const landings = await db.from('bucket_landings').whereIn('bucket_id', ids)
        const indexOf = new Map<string, number>()
        for (const row of await db.from('ci_builds').where('app_id', app)) {
          indexOf.set(row.id, Number(row.build_identifier))
        }
        const keyOf = (row: any) => `${ids.indexOf(row.bucket_id)} ${indexOf.get(row.ci_build_id)}`
        assert.sameMembers(landings.map(keyOf), [...model.landed.keys()])

        const rows: any[] = await db
          .from('distribution_builds')
          .join('distribution_files', (join) =>
            join
              .on('distribution_files.build_id', 'distribution_builds.id')
              .andOnVal('distribution_files.kind', 'artifact')
          )
          .whereIn('bucket_id', ids)
          .select('bucket_id', 'ci_build_id', 'status', 'file_name')
        const present = [...model.landed].filter(([key]) => !model.deleted.has(key))
        assert.sameDeepMembers(
          rows.map((row) => [keyOf(row), row.file_name, row.status]),
          present.map(([key, file]) => {
            const isStored = model.builds[Number(key.split(' ')[1])].files.get(file)
            return [key, file, isStored ? 'active' : 'pending']
          })
        )
        for (const [place, path] of buckets.entries()) {
          const expected = present.filter(([key]) => key.startsWith(`${place} `)).length
          assert.equal((await admin.get(path, { uncounted: true })).body.buildCount, expected)
        }
        const events = (await reported()).map(({ type, payload }) => [
          type,
          payload.build &&
            `${ids.indexOf(payload.bucket.id)} ${indexOf.get(payload.build.ciBuild.id)}`,
        ])
        const of = (type: string) => events.filter(([each]) => each === type).map(([, key]) => key)
        assert.sameMembers(of('buildDistro.newBuildAvailable'), [...model.landed.keys()])
        const available = of('buildDistro.buildArtifactAvailable')
        assert.lengthOf(new Set(available), available.length)
        for (const [key, file] of present) {
          const isStored = model.builds[Number(key.split(' ')[1])].files.get(file)
          assert.equal(available.includes(key), Boolean(isStored), key)
        }
      }),
      { numRuns: runs(40) }
    )
  }).timeout(120_000)
})
