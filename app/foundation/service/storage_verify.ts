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

/** Maximum number of listed findings: if a storage is lost, all its files are missing. */
const MAX_REPORTED = 1000

/** Manual remedies for findings that `--fix` cannot repair. */
const MANUAL_REMEDIES: Partial<Record<FindingKind, string>> = { unreadable: 'look at the storage' }

export class StorageVerify extends ConsoleCommand {
  static override commandName = 'storage:verify'
  static override description =
    'Compare the stored files with the rows that name them; fails if something is wrong'

  @flags.boolean({ description: 'Compare sizes only, without reading the files', default: false })
  declare quick: boolean

  @flags.boolean({ description: 'Repair what can be repaired', default: false })
  declare fix: boolean

  @flags.number({
    description: 'Minimum age in hours of files that are reported as orphaned',
    default: DEFAULT_GRACE,
  })
  declare grace: number

  protected async work() {
    if (!(this.grace >= 1)) throw new UsageError('--grace takes a number of hours, at least 1.')
    if (this.fix) await this.#withStorage(() => this.#requireExclusive())
    const counts = Object.fromEntries(FINDING_KINDS.map((each) => [each, 0])) as Record<
      FindingKind,
      number
    >
    const reported: Finding[] = []
    let left = 0
    const findings = (await this.#verification()).run()
    const verified = await this.#withStorage(async () => {
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
        // Part files are leftovers only once their upload has expired.
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
   * Checks that no other service uses the storage: an orphaned file may belong to that service.
   * @throws UsageError
   */
  async #requireExclusive(): Promise<void> {
    const store = await this.app.container.make('fileStore')
    const id = await serviceId(await this.app.container.make('selects'))
    await markStorage(store, id)
    const others = await othersMarks(store, id)
    if (others.length === 0) return
    throw new UsageError(
      `Another service also keeps files here (${others.join(', ')}), so nothing is removed. Give each service its own bucket, or remove the mark of a service that no longer exists.`
    )
  }

  /** Runs work on the storage. @throws UsageError if the storage is not available */
  async #withStorage<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error
      const why =
        error.kind === 'refused' ? 'refuses access; check its settings' : 'does not respond'
      throw new UsageError(`The file storage ${why} (${error.message}).`)
    }
  }

  #textOf({ files, left, findings, ...counts }: Document): string {
    const wrong = Object.entries(counts).filter(([, count]) => count > 0)
    const lines = findings.map(({ wrong: kind, name, detail, remedy, isFixed }) => {
      const todo = remedy ?? MANUAL_REMEDIES[kind] ?? 'restore it from a backup'
      const done = isFixed ? 'done' : this.fix && remedy ? 'noted' : `--fix would`
      const end = remedy === null ? todo : `${done}: ${todo}`
      return `${kind}  ${name}  ${detail} (${end})`
    })
    const total = wrong.reduce((sum, [, count]) => sum + count, 0)
    if (total > findings.length) lines.push(`… and ${total - findings.length} more`)
    const summary =
      total === 0
        ? `All ${files} files are there${this.quick ? ' and have the right size' : ' and intact'}.`
        : `${files} files: ${wrong.map(([what, count]) => `${count} ${what}`).join(', ')}; ${left} left.`
    return [...lines, summary].join('\n')
  }
}

type Document = Record<FindingKind, number> & { files: number; left: number; findings: Finding[] }
