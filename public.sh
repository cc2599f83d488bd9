# public items and modules of the docs of a checkout: public.sh CHECKOUT TARGET CRATE...
cd "$1"; t=$2; shift 2
for c in "$@"; do
  f=$t/doc/$c/all.html
  items=$(grep -o '<li><a href=' $f | wc -l)
  mods=$(find $t/doc/$c -name index.html | wc -l)
  echo "$c: $items items, $mods modules"
done
