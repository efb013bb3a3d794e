import { flags } from '@adonisjs/core/ace'
import { ConsoleCommand } from '../console/console_command.js'
import { UsageError } from '../console/usage_error.js'
import { transact } from '../core/database/transact.js'
import { HOUR } from '../core/durations.js'
import { fileNames } from '../core/files/file_names.js'
import { StoreFailure } from '../core/files/file_store.js'
import { markStorage, othersMarks, serviceId } from '../core/files/storage_marks.js'
import { VerifyStorage, FINDING_KINDS, type Finding, type FindingKind } from './verify_storage.js'

/** Hours; longer than any request, so that a row names a file by then. */
const DEFAULT_GRACE = 24

/**
 * Maximum number of findings that are listed, as all files of a lost storage are missing.
 */
const MAX_REPORTED = 1000

/** Remedies for people, for errors without one by `--fix`. */
const BY_HAND: Partial<Record<FindingKind, string>> = { unreadable: 'look at the storage' }

export class StorageVerify extends ConsoleCommand {
  static override commandName = 'storage:verify'
  static override description =
    'Compare the files that are stored with the rows that name them; fails when something is wrong'

  @flags.boolean({ description: 'Compare sizes only, without reading the files', default: false })
  declare quick: boolean

  @flags.boolean({ description: 'Do what can be done about what is wrong', default: false })
  declare fix: boolean

  @flags.number({
    description: 'Hours for which files that nothing names are left alone',
    default: DEFAULT_GRACE,
  })
  declare grace: number

  protected async work() {
    if (!(this.grace >= 1)) throw new UsageError('--grace takes hours, of which 1 is the least.')
    if (this.fix) await this.#requireStorage(() => this.#requireAlone())
    const counts = Object.fromEntries(FINDING_KINDS.map((each) => [each, 0])) as Record<
      FindingKind,
      number
    >
    const reported: Finding[] = []
    let left = 0
    const findings = (await this.#verification()).run()
    const verified = await this.#requireStorage(async () => {
      for (;;) {
        const { done, value } = await findings.next()
        if (done) return value
        counts[value.wrong]++
        if (!value.isFixed) left++
        if (reported.length < MAX_REPORTED) reported.push(value)
      }
    })
    const document = { files: verified, ...counts, left, findings: reported }
    return { document, text: this.#textOf(document), failed: left > 0 }
  }

  async #verification(): Promise<VerifyStorage> {
    const { container } = this.app
    const [store, selects, spool, parts] = [
      await container.make('fileStore'),
      await container.make('selects'),
      await container.make('spool'),
      await container.make('partFiles'),
    ]
    const { LIFE_MS } = await import('../api/resumable/upload_rows.js')
    const { quick, fix } = this
    return new VerifyStorage(
      {
        store,
        selects,
        names: fileNames.all,
        // A part file may be as old as its upload may be.
        leftovers: async (before) => [
          ...(await spool.leftovers(before)),
          ...(await parts.leftovers(Math.min(before, this.clock.milliseconds() - LIFE_MS))),
        ],
        write: async (work) => {
          await transact(this.database, async (_client, _connection, statements) =>
            work(statements)
          )
        },
      },
      { quick, fix, before: this.clock.milliseconds() - this.grace * HOUR }
    )
  }

  /**
   * Checks that the storage is ours alone: a file that no row names may belong to somebody else.
   * @throws UsageError
   */
  async #requireAlone(): Promise<void> {
    const store = await this.app.container.make('fileStore')
    const id = await serviceId(await this.app.container.make('selects'))
    await markStorage(store, id)
    const others = await othersMarks(store, id)
    if (others.length === 0) return
    throw new UsageError(
      `Another service keeps files here too (${others.join(', ')}): nothing is removed. Give each service a bucket of its own; remove the mark of one that no longer exists.`
    )
  }

  /** Runs work on the storage. @throws UsageError if the storage does not answer */
  async #requireStorage<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error
      const why = error.kind === 'refused' ? 'refuses; see its settings' : 'does not answer'
      throw new UsageError(`The storage of files ${why} (${error.message}).`)
    }
  }

  #textOf({ files, left, findings, ...counts }: Document): string {
    const wrong = Object.entries(counts).filter(([, count]) => count > 0)
    const lines = findings.map(({ wrong: what, name, detail, remedy, isFixed }) => {
      const todo = remedy ?? BY_HAND[what] ?? 'restore it from a backup'
      const done = isFixed ? 'done' : this.fix && remedy ? 'noted' : `--fix would`
      const end = remedy === null ? todo : `${done}: ${todo}`
      return `${what}  ${name}  ${detail} (${end})`
    })
    const total = wrong.reduce((sum, [, count]) => sum + count, 0)
    if (total > findings.length) lines.push(`… and ${total - findings.length} more`)
    const summary =
      total === 0
        ? `All ${files} files are there${this.quick ? ' with their sizes' : ' and what they should be'}.`
        : `${files} files: ${wrong.map(([what, count]) => `${count} ${what}`).join(', ')}; ${left} left.`
    return [...lines, summary].join('\n')
  }
}

type Document = Record<FindingKind, number> & { files: number; left: number; findings: Finding[] }
