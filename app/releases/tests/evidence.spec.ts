import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { makeFixes } from '#fixes/tests/support'
import { ReleaseEvidence } from '#releases/commands/release_evidence'
import { EVIDENCE_FORMAT, sealText, verifyEvidence } from '#releases/evidence/verify_evidence'
import { runCommand } from '#tests/support/console'
import { CUSTOM_BUILD, installIntegration } from '#tests/support/custom_integrations'
import { form } from '#tests/support/form'
import { makeWorld } from '#tests/support/world'
import { isLong } from '#tests/support/effort'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const sha256 = (value: string | Buffer) => createHash('sha256').update(value).digest('hex')

/** Creates a release with approvals of every kind, a fix and a build with a file. */
async function makeProven() {
  const fixes = await makeFixes(
    { fourEyes: false, requiredApprovals: 2 },
    {
      settings: { requireFixApprovals: true },
      steps: [{ type: 'kickoff' }, { type: 'metadata' }, { type: 'approvals' }],
    }
  )
  const { world, admin, app, path, version, request, approve, key } = fixes
  const release = path(version)
  const { body: item } = await admin.post(`/app/${app}/approval`, {
    title: 'Legal ❄',
    requiredApprovals: 2,
  })
  const metadata = await fixes.step(version, 'metadata')
  const texts = { localizations: [{ locale: 'en-US', whatsNew: 'Faster', keywords: 'a,b' }] }
  await admin.put(`${release}/stepRun/${metadata.stepRunId}/metadata`, texts)
  await admin.put(`${release}/stepRun/${metadata.stepRunId}/approval`, { approved: true })
  await admin.put(`${release}/checklistItem/${item.id}/status`, { status: 'approved' })
  const ci = `/app/${app}/integration/${await installIntegration(world, app, 'generic-ci')}`
  const build = form(
    { file: 'the build', fileName: 'Acme.ipa' },
    JSON.stringify({ ...CUSTOM_BUILD, version })
  )
  await admin.post(`${ci}/build`, undefined, build)
  const { body: requested } = await request({
    title: 'Fix',
    commitHashes: ['b'.repeat(40), 'a'.repeat(40)],
    pullRequestNumbers: [9, 2],
  })
  await approve(requested.id)
  await approve(requested.id, { comment: 'Good' }, await key('second'))
  const response = await admin.get(`${release}/evidence`)
  if (response.status !== 200) throw new Error(response.text)
  return {
    ...fixes,
    release,
    item,
    asked: requested,
    answer: response,
    bytes: Buffer.from(response.text),
  }
}

type Proven = Awaited<ReturnType<typeof makeProven>>

/** Seals another text with a new key, as a forger without the key of the service could. */
function resealed(text: string): Buffer {
  const body = Buffer.from(text.slice(0, text.lastIndexOf(',\n"seal":')))
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const digest = sha256(body)
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex')
  const signature = sign(null, Buffer.from(`${EVIDENCE_FORMAT} ${digest}`), privateKey)
  const seal = sealText({ digest, key, signature: signature.toString('hex') })
  return Buffer.concat([body, Buffer.from(seal)])
}

/** Returns the file with a changed document, sealed with a new key. */
function changed({ bytes }: Proven, change: (file: any) => void): Buffer {
  const file = JSON.parse(String(bytes))
  delete file.seal
  change(file)
  return resealed(`${JSON.stringify(file).slice(0, -1)},\n"seal":`)
}

test.group('GET /app/{appId}/release/{releaseId}/evidence', () => {
  test('200 contains timeline, approvals with their content, builds, fixes and stores', async ({
    assert,
  }) => {
    const {
      answer: response,
      bytes,
      app,
      item,
      asked: requested,
      timeline,
      version,
    } = await makeProven()
    const { body: file, headers } = response as any
    assert.equal(
      headers['content-disposition'],
      `attachment; filename="${app}-${version}-evidence.json"`
    )
    assert.equal(file.release.id, `${app}:${version}`)
    const entries = (await timeline(version, '?limit=200')).reverse()
    assert.deepEqual(
      file.timeline.entries,
      entries.map(({ releaseId: _, ...entry }: any) => entry)
    )
    const [approval] = file.approvals.items
    assert.containsSubset(approval, { id: item.id, requiredApprovals: 2, status: 'inProgress' })
    assert.equal(approval.votes[0].approvedHash, file.approvals.contentHash)
    assert.equal(sha256(JSON.stringify(file.approvals.content)), file.approvals.contentHash)
    const { decision } = file.steps.find(({ type }: any) => type === 'metadata')
    assert.deepEqual(decision.content, [
      [
        ['keywords', 'a,b'],
        ['locale', 'en-US'],
        ['whatsNew', 'Faster'],
      ],
    ])
    assert.equal(decision.approvedHash, sha256(JSON.stringify(decision.content)))
    const [build] = file.builds
    assert.containsSubset(build, { commitHash: CUSTOM_BUILD.commitHash, buildStatus: 'success' })
    assert.deepEqual(build.files, [{ fileName: 'Acme.ipa', size: 9, sha256: sha256('the build') }])
    const [fix] = file.fixes
    assert.deepEqual(fix.content, {
      commits: ['a'.repeat(40), 'b'.repeat(40)],
      pullRequests: [2, 9],
      ticketId: null,
    })
    assert.deepEqual(
      fix.approvals.map(({ comment, approvedHash }: any) => [comment, approvedHash]),
      [
        [null, fix.contentHash],
        ['Good', fix.contentHash],
      ]
    )
    assert.equal(fix.id, requested.id)
    assert.deepEqual(file.stores, { versions: [], plans: [], builds: [] })
    const verdict = verifyEvidence(bytes)
    assert.deepEqual(verdict.errors, [])
    assert.containsSubset(verdict, {
      holds: true,
      releaseId: `${app}:${version}`,
      entries: entries.length,
      // The item, the texts of a step, and twice the fix.
      approvals: 4,
    })
  })

  test('200 returns the same bytes for the same state, and others after a change', async ({
    assert,
  }) => {
    const { admin, release, bytes, answer: response } = await makeProven()
    const again = await admin.get(`${release}/evidence`)
    assert.equal(again.text, String(bytes))
    const etag = response.headers.etag
    const same = await admin.get(`${release}/evidence`, { headers: { 'if-none-match': etag } })
    assert.equal(same.status, 304)
    await admin.put(release, { releaseName: 'Later' })
    const after = await admin.get(`${release}/evidence`)
    assert.notEqual(after.text, String(bytes))
    assert.isTrue(verifyEvidence(Buffer.from(after.text)).holds)
  })

  test('200 returns a file that fails verification after the database was tampered with', async ({
    assert,
  }) => {
    const { admin, release, app } = await makeProven()
    const { id } = await db.from('releases').where({ app_id: app, version: '1.0.0' }).firstOrFail()
    await db.from('events').where({ release_id: id, position: 2 }).update({ data: '{"half' })
    const { status, text } = await admin.get(`${release}/evidence`)
    assert.equal(status, 200)
    const { holds, entries, errors } = verifyEvidence(Buffer.from(text))
    assert.deepEqual([holds, entries], [false, 1])
    assert.equal(errors[0].where, 'timeline.entries[1]')
  })

  test('404 for an unknown release, and for another organization', async ({ assert }) => {
    const { admin, app, release } = await makeProven()
    assert.equal((await admin.get(`/app/${app}/release/${app}:9.9.9/evidence`)).status, 404)
    const { admin: stranger } = await makeWorld()
    assert.equal((await stranger.get(`${release}/evidence`)).status, 404)
  })
})

test.group('An evidence file', () => {
  test('fails verification when any byte is changed', async ({ assert }) => {
    const { bytes } = await makeProven()
    assert.isTrue(verifyEvidence(bytes).holds)
    const missed: number[] = []
    // A normal run tries every third byte.
    for (let at = 0; at < bytes.length; at += isLong ? 1 : 3) {
      const other = Buffer.from(bytes)
      // Flips a single bit, a different one each time.
      other[at] ^= 1 << (at % 8)
      if (verifyEvidence(other).holds) missed.push(at)
    }
    assert.deepEqual(missed, [])
  }).timeout(120_000)

  test('fails verification when a byte is removed, inserted or cut off', async ({ assert }) => {
    const { bytes } = await makeProven()
    const step = Math.ceil(bytes.length / 500)
    for (let at = 0; at < bytes.length; at += step) {
      const [before, behind] = [bytes.subarray(0, at), bytes.subarray(at)]
      assert.isFalse(verifyEvidence(Buffer.concat([before, behind.subarray(1)])).holds)
      assert.isFalse(verifyEvidence(Buffer.concat([before, Buffer.from(' '), behind])).holds)
      assert.isFalse(verifyEvidence(before).holds)
    }
    assert.isFalse(verifyEvidence(Buffer.concat([bytes, Buffer.from('\n')])).holds)
    assert.isFalse(verifyEvidence(Buffer.from('\ufeff' + String(bytes))).holds)
    assert.isFalse(verifyEvidence(Buffer.alloc(0)).holds)
  })

  test('fails verification after a new seal if {$self} was changed')
    .with([
      'the title of an entry',
      'the data of an entry',
      'who did it',
      'an entry out of the middle',
      'the last entry',
      'the first entry',
      'two entries',
      'what was approved',
      'what a vote was for',
      'the texts of a step',
      'the commits of a fix',
      'what a fix was approved for',
    ])
    .run(async ({ assert }, what) => {
      const proven = await makeProven()
      const changes: Record<string, (file: any) => void> = {
        'the title of an entry': ({ timeline }) => (timeline.entries[2].title += '.'),
        'the data of an entry': ({ timeline }) => (timeline.entries[1].data.more = 1),
        'who did it': ({ timeline }) => (timeline.entries[3].actor.name = 'Nobody'),
        'an entry out of the middle': ({ timeline }) => timeline.entries.splice(2, 1),
        'the last entry': ({ timeline }) => timeline.entries.pop(),
        'the first entry': ({ timeline }) => timeline.entries.shift(),
        'two entries': ({ timeline: { entries } }) =>
          ([entries[1], entries[2]] = [entries[2], entries[1]]),
        'what was approved': ({ approvals }) => approvals.content.texts.pop(),
        'what a vote was for': ({ approvals }) =>
          (approvals.items[0].votes[0].approvedHash = '0'.repeat(64)),
        'the texts of a step': ({ steps }) =>
          (steps.find(({ type }: any) => type === 'metadata').decision.content[0][0][1] = 'c'),
        'the commits of a fix': ({ fixes }) => fixes[0].content.commits.push('c'.repeat(40)),
        'what a fix was approved for': ({ fixes }) => {
          fixes[0].content.ticketId = 'SHOP-1'
          fixes[0].contentHash = sha256(JSON.stringify(fixes[0].content))
        },
      }
      assert.isTrue(verifyEvidence(changed(proven, () => {})).holds)
      const { holds, errors } = verifyEvidence(changed(proven, changes[what]))
      assert.isFalse(holds)
      assert.notEqual(errors[0].where, 'seal')
    })

  test('with a new seal differs from that of the service in its key', async ({ assert }) => {
    const proven = await makeProven()
    const { key } = verifyEvidence(proven.bytes)
    assert.isTrue(verifyEvidence(proven.bytes, key!).holds)
    const forged = changed(proven, ({ release }) => (release.releaseName = 'Forged'))
    assert.isTrue(verifyEvidence(forged).holds)
    assert.deepEqual(verifyEvidence(forged, key!).errors, [
      { where: 'seal', message: 'The file was sealed with another key.' },
    ])
  })

  test('is verified by a program that only needs the file', async ({ assert, cleanup }) => {
    const { bytes, app } = await makeProven()
    const folder = mkdtempSync(join(tmpdir(), 'evidence-'))
    cleanup(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'evidence.json')
    writeFileSync(file, bytes)
    const home = join(folder, 'home')
    const prove = (...args: string[]) =>
      spawnSync(process.execPath, [join(ROOT, 'bin/verify_evidence.js'), ...args], {
        cwd: folder,
        env: { PATH: process.env.PATH, TARMAC_HOME: home, DATABASE_URL: 'postgres://nowhere/x' },
        encoding: 'utf8',
      })
    const { status, stdout, stderr } = prove(file)
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, new RegExp(`^${app}:1.0.0: the file is intact; \\d+ entries`))
    assert.include(stdout, verifyEvidence(bytes).key!)
    const stranger = prove(file, '0'.repeat(64))
    assert.deepEqual(
      [stranger.status, stranger.stderr],
      [1, 'seal: The file was sealed with another key.\n']
    )
    assert.include(stdout, 'Whose key that is')
    const known = prove(file, ` ${verifyEvidence(bytes).key!.toUpperCase()}`)
    assert.deepEqual([known.status, known.stderr], [0, ''])
    assert.notInclude(known.stdout, 'Whose key that is')
    writeFileSync(file, String(bytes).replace('Legal', 'Regal'))
    assert.equal(prove(file).status, 1)
    assert.equal(prove(join(folder, 'none')).status, 2)
    assert.equal(prove().status, 2)
    assert.deepEqual(readdirSync(folder), ['evidence.json'])
  })
})

test.group('The program that verifies evidence', () => {
  test('needs a few files of a checkout, and no dependency', async ({ assert, cleanup }) => {
    const { bytes } = await makeProven()
    const folder = mkdtempSync(join(tmpdir(), 'evidence-'))
    cleanup(() => rmSync(folder, { recursive: true }))
    const own = [
      'bin/verify_evidence.js',
      'bin/newer_node.js',
      'app/releases/evidence/verify_evidence.ts',
    ]
    for (const each of own) {
      mkdirSync(join(folder, dirname(each)), { recursive: true })
      copyFileSync(join(ROOT, each), join(folder, each))
    }
    // A checkout has this file too.
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const file = join(folder, 'evidence.json')
    const prove = (content: Buffer) => {
      writeFileSync(file, content)
      const words = [join(folder, own[0]), file]
      const options = { cwd: folder, env: {}, encoding: 'utf8' } as const
      return spawnSync(process.execPath, words, options)
    }
    const { status, stderr } = prove(bytes)
    assert.deepEqual([status, stderr], [0, ''])
    // Nested more deeply than a recursive reader can go.
    const depth = 200_000
    const text = `{"format":"${EVIDENCE_FORMAT}","deep":${'['.repeat(depth)}${']'.repeat(depth)}`
    const deep = prove(resealed(`${text},\n"seal":`))
    assert.equal(deep.status, 1)
    assert.notInclude(deep.stderr, ' at ')
  })
})

test.group('release:evidence', () => {
  test('writes the file that the operation returns, and never overwrites another', async ({
    assert,
    cleanup,
  }) => {
    const { app, version, bytes } = await makeProven()
    const folder = mkdtempSync(join(tmpdir(), 'evidence-'))
    cleanup(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'evidence.json')
    const { code, document } = await runCommand(ReleaseEvidence, [
      `${app}:${version}`,
      '--to',
      file,
    ])
    assert.equal(code, 0)
    const { digest, key, entries } = verifyEvidence(bytes)
    const releaseId = `${app}:${version}`
    assert.deepEqual(document, { releaseId, file, entries, digest, key, holds: true, errors: [] })
    assert.isTrue(readFileSync(file).equals(bytes))
    const again = await runCommand(ReleaseEvidence, [releaseId, '--to', file])
    assert.deepEqual(
      [again.code, again.stderr],
      [1, `The file "${file}" cannot be written (EEXIST).`]
    )
    const none = await runCommand(ReleaseEvidence, [`${app}:9.9.9`])
    assert.deepEqual([none.code, none.stderr], [1, `There is no release "${app}:9.9.9".`])
  })
})
