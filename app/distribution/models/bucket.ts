import { modelOf } from '#foundation/core/database/model_of'
import { buckets } from '../tables.js'

/** A collection of builds for testers. */
export default class Bucket extends modelOf(buckets) {}
