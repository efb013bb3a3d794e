import { modelOf } from '#foundation/core/database/model_of'
import { stepRuns } from '../tables.js'

/** One attempt at a step, with its facts and notes. */
export default class StepRun extends modelOf(stepRuns) {}
