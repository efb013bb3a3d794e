import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from '@japa/runner'
import { LONG } from './support/effort.js'
import { blocksOf, runBlocks, runPage } from './support/page_commands.js'

/*
 * The commands of tutorials and how-to pages work, and print what the pages say. They are read from
 * the pages.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string) => readFileSync(ROOT + path, 'utf8')

/** The page that the usual run tries, too. */
const USUAL = 'docs/tutorial/first-release.md'

const pages = globSync('docs/{tutorial,how-to}/**/*.md', { cwd: ROOT }).sort()
const withCommands = pages.filter((path) => blocksOf(read(path)).length > 0)

/** Pages whose steps are those of other systems, or replace the service itself. */
const WITHOUT_COMMANDS = ['docs/how-to/keyless-ci.md', 'docs/how-to/upgrade.md']

test('the pages without commands to run are known', ({ assert }) => {
  const without = pages.filter((path) => !withCommands.includes(path))
  assert.deepEqual(without, WITHOUT_COMMANDS)
})

for (const path of withCommands) {
  test(`the commands of ${path} work`, () => runPage(path))
    .timeout(300_000)
    .tags(path === USUAL ? [] : [LONG])
}

test('a page whose command fails or prints something else is detected', async ({ assert }) => {
  const page = (...blocks: string[]) => blocks.join('\n')
  const run = (text: string) => ['```sh run', text, '```'].join('\n')
  const expect = (text: string) => ['```text expect', text, '```'].join('\n')
  const failureOf = async (text: string) => {
    try {
      await runBlocks(blocksOf(text))
      return null
    } catch (error) {
      return (error as Error).message
    }
  }
  assert.isNull(await failureOf(page(run('A=1'), run('echo "a $A b"'), expect('a … b'))))
  assert.match((await failureOf(run('false\necho')))!, /This fails \(1\)/)
  assert.match((await failureOf(page(run('echo one'), expect('two'))))!, /No line is "two"/)
})
