import { execFileSync } from 'node:child_process'
import { test } from '@japa/runner'
import type { VersionControl } from '@tarmac/plugin-kit'
import { Bench } from '@tarmac/plugin-kit/testing'
import { patchId } from '../code/patch_ids.js'
import { GitHubFake } from '../fake/github_fake.js'
import { sampleScenario } from '../fake/sample_scenario.js'
import plugin from '../plugin.js'

const DIFFS = [
  `diff --git a/a.txt b/a.txt
index 1234567..89abcde 100644
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,4 @@
 one
-two
+two and a half
+  three
 four
`,
  `diff --git a/new.txt b/new.txt
new file mode 100644
index 0000000..89abcde
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,2 @@
+first
+second
diff --git a/old.txt b/old.txt
deleted file mode 100644
index 89abcde..0000000
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
\\ No newline at end of file
`,
]

const IMAGE = `diff --git a/icon.png b/icon.png
index 8352675..1592e5c 100644
Binary files a/icon.png and b/icon.png differ
`

test.group('GitHub | patch ids', () => {
  test('a change has the patch id that git gives it', async ({ assert }) => {
    for (const diff of DIFFS) {
      const [id] = execFileSync('git', ['patch-id', '--stable'], { input: diff })
        .toString()
        .split(' ')
      assert.equal(patchId(diff), id, diff)
    }
    assert.isNull(patchId(''))
  })

  test('two changes of one image are not the same change', async ({ assert }) => {
    const other = IMAGE.replace('1592e5c', 'a79b1fb')
    assert.notEqual(patchId(IMAGE), patchId(other))
    assert.notEqual(patchId(IMAGE + DIFFS[0]), patchId(other + DIFFS[0]))
    assert.equal(patchId(IMAGE + DIFFS[0]), patchId(DIFFS[0] + IMAGE))
  })

  test('a commit whose diff is too large has none, and others keep theirs', async ({ assert }) => {
    const bench = new Bench({
      plugin,
      fake: () => new GitHubFake(),
      credentials: { good: { token: 'good-token-4711' }, bad: { token: 'bad-token-4711' } },
      data: { versionControl: { repoName: 'acme/app' } },
    })
    bench.seed(sampleScenario())
    const code: VersionControl = await bench.capability('versionControl')
    const { items } = await code.compare(null, 'main')
    const [first, second] = items.map(({ sha }) => sha)
    const message = 'Sorry, the diff exceeded the maximum number of lines (20000)'
    bench.fake.failNext({ status: 406, body: { message } })
    assert.sameMembers(Object.keys(await code.patchIds!([first, second])), [second])
  })
})
