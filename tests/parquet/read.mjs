// Prints a Parquet file, read by hyparquet, as JSON: {rows, key_values, columns: {name: [...]}}.
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

const file = await asyncBufferFromFile(process.argv[2])
const metadata = await parquetMetadataAsync(file)
const rows = await parquetReadObjects({ file, metadata, compressors })
const names = metadata.schema.slice(1).map((element) => element.name)
const plain = (value) => (typeof value === 'bigint' ? Number(value)
  : typeof value === 'number' && !Number.isFinite(value) ? String(value) : value)
console.log(JSON.stringify({
  rows: Number(metadata.num_rows),
  key_values: Object.fromEntries((metadata.key_value_metadata ?? []).map((one) => [one.key, one.value])),
  columns: Object.fromEntries(names.map((name) => [name, rows.map((row) => plain(row[name]))])),
}))
