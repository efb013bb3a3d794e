import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { startService } from '#tests/support/processes'

/*
 * Packages that a service on SQLite loads before its first request: each costs time at every start,
 * and memory in every idle process. Packages that few requests need are imported on demand.
 */
const PACKAGES = `
  @adonisjs/ace @adonisjs/application @adonisjs/bodyparser @adonisjs/config @adonisjs/core
  @adonisjs/drive @adonisjs/env @adonisjs/events @adonisjs/fold @adonisjs/health
  @adonisjs/http-server @adonisjs/http-transformers @adonisjs/limiter @adonisjs/logger
  @adonisjs/lucid @adonisjs/presets @adonisjs/redis @arr/every @borewit/text-codec
  @boringnode/encryption @boringnode/route-matcher @humanwhocodes/retry @pinojs/redact
  @poppinss/cliui @poppinss/colors @poppinss/dumper @poppinss/exception @poppinss/hooks
  @poppinss/macroable @poppinss/matchit @poppinss/middleware @poppinss/multiparty
  @poppinss/object-builder @poppinss/prompts @poppinss/qs @poppinss/string @poppinss/utils
  @poppinss/validator-lite @sinclair/typebox @sindresorhus/is @swc/core @tokenizer/inflate
  @vinejs/compiler @vinejs/vine abstract-logging ansi-colors ansi-escapes ansi-regex ansi-styles
  atomic-sleep better-sqlite3 bytes camelcase case-anything check-disk-space cli-boxes cli-cursor
  cli-table3 cli-truncate colorette content-disposition content-type cookie-es dayjs debug depd
  destroy dlv ee-first emittery emoji-regex encodeurl enquirer environment error-stack-parser-es
  es-module-lexer etag fast-deep-equal fastest-levenshtein file-type flattie flydrive forwarded
  fresh get-east-asian-width glob-parent he http-errors iconv-lite ieee754 igniculus inflation
  inherits ipaddr.js is-extglob is-fullwidth-code-point is-glob jsonschema kleur knex
  knex-dynamic-connection lodash log-update luxon media-typer mime-db mime-types mimic-function ms
  normalize-url on-exit-leak-free on-finished onetime parse-imports pg-connection-string pino
  pino-std-serializers pluralize pretty-hrtime proxy-addr quick-format-unescaped
  rate-limiter-flexible raw-body reflect-metadata restore-cursor safe-stable-stringify
  safer-buffer setprototypeof signal-exit slash slashes slice-ansi slugify sonic-boom statuses
  string-width strip-ansi strtok3 supports-color tarn terminal-size thread-stream tmp-cache
  toidentifier token-types type-is uint8array-extras unpipe validator vary wrap-ansi yargs-parser
`

test.group('A start without requests', () => {
  test('loads these packages and no others', async ({ assert, cleanup }) => {
    const home = mkdtempSync(join(tmpdir(), 'tarmac-idle-'))
    cleanup(() => rmSync(home, { recursive: true, force: true }))
    const settings = {
      TARMAC_HOME: home,
      NODE_ENV: 'production',
      ...{ APP_KEY: undefined, DATABASE_URL: undefined, DRIVE_DISK: undefined },
      ...{ LIMIT_STORE: undefined, REDIS_URL: undefined },
    }
    // The first start migrates, and makes an organization.
    await (await startService(settings)).stop()
    const file = join(home, 'packages.json')
    const recorder = new URL('support/record_packages.js', import.meta.url)
    const service = await startService({
      ...settings,
      NODE_OPTIONS: `--import=${recorder.href}`,
      LOADED_PACKAGES: file,
    })
    await service.waitForOutput(/ready at/)
    await service.stop()
    const loaded = JSON.parse(readFileSync(file, 'utf8')) as string[]
    assert.deepEqual(loaded, PACKAGES.trim().split(/\s+/))
  }).timeout(120_000)
})
