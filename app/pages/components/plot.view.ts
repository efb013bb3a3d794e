import type { ChartView } from '../charts/chart.js'

/** A chart under its name, as `plot.edge` shows it. */
export const plotView = (name: string, { svg, keys, table, title }: ChartView) => ({
  name: name[0].toUpperCase() + name.slice(1),
  title,
  svg: svg.toString(),
  keys,
  table,
})
