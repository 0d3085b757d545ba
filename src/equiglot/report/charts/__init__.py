"""Charts: pure functions from a small frame to an Altair chart that fits a width."""

from equiglot.report.charts.agreement import agreement_chart
from equiglot.report.charts.bars import bar_chart
from equiglot.report.charts.boxes import box_chart, box_summary
from equiglot.report.charts.zones import ZONES, zone_chart

__all__ = ["ZONES", "agreement_chart", "bar_chart", "box_chart", "box_summary", "zone_chart"]
