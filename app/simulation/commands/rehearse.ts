import { readFile } from 'node:fs/promises'
import { args, flags } from '@adonisjs/core/ace'
import vine from '@vinejs/vine'
import { AppCommand } from '#apps/commands/app_command'
import { dateTime, integer, text } from '#foundation/api/operation/input'
import { UsageError } from '#foundation/console/usage_error'
import { lineOfReported, linesOfRehearsed } from '../rehearsal/lines.js'
import { beginOf, morningOf } from '../rehearsal/begin_of.js'
import {
  MAX_DAYS,
  NO_RELEASES,
  USUAL_DAYS,
  type OfApp,
  type RehearsalEntry,
} from '../rehearsal/plan.js'
import { planOfApp } from '../rehearsal/plan_of_app.js'
import { planOfFile } from '../rehearsal/plan_of_file.js'
import { runApart } from '../rehearsal/run_apart.js'
import { scenarioFile } from '../scenarios/box.js'
import { readScenario } from '../scenarios/read_scenario.js'

const options = vine.create({
  days: integer(1, MAX_DAYS),
  seed: text(100).optional(),
  from: dateTime().optional(),
  version: text(32),
})

export class Rehearse extends AppCommand {
  static override commandName = 'rehearse'
  static override description =
    'Play an app through days of its own time, with simulated providers and nothing real'
  static override help = 'The same app, scenario and seed give the same lines.'

  @args.string({ argumentName: 'app', description: 'Id of an app, or its configuration file' })
  declare subject: string

  @flags.string({ description: 'What happens: a YAML file, or the name of a built-in scenario' })
  declare scenario: string | undefined

  @flags.string({ description: 'How many days; 30 by default' })
  declare days: string | undefined

  @flags.string({ description: 'Seed of chance; that of the scenario by default' })
  declare seed: string | undefined

  @flags.string({
    description:
      'When it begins, a date or a time; by default before the first train from January 2026 on',
  })
  declare from: string | undefined

  @flags.string({
    description: 'Version of the first release if no cadence drafts it; 1.0.0 by default',
  })
  declare version: string | undefined

  protected async work() {
    const { days, seed, from, version } = await this.checked(options, {
      days: Number(this.days ?? USUAL_DAYS),
      seed: this.seed,
      from: this.from && morningOf(this.from),
      version: this.version ?? '1.0.0',
    })
    const scenario = await scenarioFile(this.scenario ?? 'happy-train')
    // Errors are reported before anything begins.
    await readScenario(scenario)
    const reported: RehearsalEntry[] = []
    const ofApp = await this.#ofApp()
    const plan = {
      ...ofApp,
      ...{ scenario: scenario.toString(), seed: seed ?? null, days, version },
      begin: from ? String(from) : beginOf(ofApp.configuration),
      ...{ ...NO_RELEASES, hasRepository: false },
    }
    const rehearsed = await runApart(plan, (each) => void reported.push(each))
    const lines = reported.map((each) => lineOfReported(each, rehearsed.begin))
    const all = [...lines, '', ...linesOfRehearsed(rehearsed)]
    // Scripts that rely on the exit code must notice an empty result.
    const failed = rehearsed.releases.length === 0
    return { document: { ...rehearsed, reported }, text: all.join('\n'), failed }
  }

  /** Reads the subject as a configuration file if there is one, otherwise as the id of an app. */
  async #ofApp(): Promise<OfApp> {
    try {
      return planOfFile(await readFile(this.subject, 'utf8'))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT') throw new UsageError(`"${this.subject}" cannot be read (${code}).`)
    }
    const isPath = /[./]/.test(this.subject)
    const principal = isPath ? null : await this.principalOwning('apps', this.subject)
    if (principal === null) {
      throw new UsageError(
        `There is neither a file nor an app "${this.subject}". Give the path of a configuration file, or the id of an app; Home lists the apps, and so does GET /org/{orgId}/apps.`
      )
    }
    return planOfApp(this.readScope(principal), this.subject)
  }
}
