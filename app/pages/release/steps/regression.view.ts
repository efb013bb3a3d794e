import type { Static } from '@sinclair/typebox'
import type {
  RegressionReleaseStepData,
  RegressionTestingTestRunEntity,
} from '#checklists/entities'
import { choicesView, fieldView } from '../../components/field.view.js'
import { FormState } from '../../frame/fields.js'
import type { Reader, Refused } from '../../frame/page.js'
import { seenTag } from '../../frame/seen_tag.js'
import { percentText } from '../../words/numbers.js'
import { REGRESSION_STATUSES, TEST_STATUSES, statusLabel } from '../../words/statuses.js'
import { timeText } from '../../words/times.js'
import { webAddress } from './build.view.js'

type Data = Static<typeof RegressionReleaseStepData>
type TestRun = Static<typeof RegressionTestingTestRunEntity>

/** The id of the operation that sets the verdict. */
export const VERDICT_OPERATION = 'updateStepRunRegressionStatus'

interface FormContext {
  /** The address of the page of the step. */
  address: string
  /** The id of the step run; empty if the step has none. */
  run: string
  /** The entity tag of the step run. */
  tag: string | null
  reader: Reader
  refused: Refused | null
}

/** Returns the view of regression testing: verdict, the form to set it, and test runs. */
export function regressionOf(data: Data, context: FormContext) {
  return {
    verdict: verdictOf(data, context.reader),
    form:
      context.run !== '' && context.reader.may(VERDICT_OPERATION) ? formOf(data, context) : null,
    testRuns: data.testRuns.map(runOf),
  }
}

function verdictOf({ verdict }: Data, reader: Reader) {
  if (verdict === null) return null
  const { status, setBy, setAt, comment, url, explanation } = verdict
  return {
    status: statusLabel(REGRESSION_STATUSES, status),
    by: [setBy?.name, setAt && timeText(setAt, reader)].filter(Boolean).join(', '),
    comment,
    url: webAddress(url),
    explanation,
  }
}

function formOf({ regressionStatus, verdict }: Data, { address, run, tag, refused }: FormContext) {
  const action = `${address}/regressionStatus`
  const state = new FormState(refused, action)
  const isRefused = refused?.action === action
  return {
    action,
    run,
    tag: seenTag(tag, action, refused),
    isOpen: isRefused,
    status: choicesView(state, {
      id: 'status',
      label: 'Verdict',
      hint: 'It overrides the items until it is set again.',
      options: Object.entries(REGRESSION_STATUSES).map(([value, { word }]) => ({
        value,
        label: word,
        isOn: value === (verdict?.status ?? regressionStatus),
      })),
    }),
    comment: fieldView(state, {
      id: 'comment',
      label: 'Comment (optional)',
      type: 'area',
      stored: verdict?.comment ?? '',
    }),
    url: fieldView(state, {
      id: 'url',
      label: 'Link to details (optional)',
      hint: 'An address, such as https://tests.example.com/run/7.',
      stored: verdict?.url ?? '',
    }),
  }
}

function runOf({ name, provider, url, passed, total, statuses, failures, id }: TestRun) {
  return {
    id,
    name,
    provider,
    url: webAddress(url),
    passed: total > 0 ? `${percentText(passed)} passed` : 'no tests',
    isFine: failures.length === 0,
    counts: statuses
      .filter(({ count }) => count > 0)
      .map(({ type, count }) => `${count} ${statusLabel(TEST_STATUSES, type).word.toLowerCase()}`)
      .join(', '),
    failures: failures.map(({ title, status, assignee }) => ({
      title,
      note: [status, assignee].filter(Boolean).join(' · '),
    })),
  }
}
